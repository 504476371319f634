// Starts `torchada server`, and shows what it answers: the port of a file as a document of its own, and what codes mean.

"use strict";

const vscode = require("vscode");
const { LanguageClient, State } = require("vscode-languageclient/node");

/** The documents that only this extension has: ports of files, and explanations of codes. */
const PORT = "torchada-port";
const CODE = "torchada-code";

const LANGUAGES = ["c", "cpp", "cuda-cpp", "python", "cmake"];
const OTHERS = "**/{*.cu,*.cuh,*.mu,*.muh,*.pyx,*.pxd,*.bazel,*.bzl,Makefile,*.mk,pyproject.toml,Dockerfile*}";

/** @type {LanguageClient | undefined} */
let client;

/**
 * The client of the server that the settings name.
 * @param {Ports} ports
 */
function makeClient(ports) {
    const settings = vscode.workspace.getConfiguration("torchada");
    const server = {
        command: settings.get("path", "torchada"),
        args: ["server", ...settings.get("arguments", [])],
    };
    return new LanguageClient("torchada", "torchada", server, {
        documentSelector: [
            ...LANGUAGES.map((language) => ({ scheme: "file", language })),
            { scheme: "file", pattern: OTHERS },
        ],
        initializationOptions: { showsDocuments: true },
        middleware: {
            // The server gives texts, and here they are shown.
            executeCommand: async (command, args, next) => {
                if (command === "torchada.ported") {
                    return ports.show(vscode.Uri.parse(args[0]));
                }
                if (command === "torchada.explain") {
                    const uri = vscode.Uri.from({ scheme: CODE, path: `/${args[0]}.md` });
                    return vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
                }
                return next(command, args);
            },
        },
    });
}

/** Ports of files, as documents that follow what is typed. */
class Ports {
    constructor() {
        this.changed = new vscode.EventEmitter();
        this.onDidChange = this.changed.event;
        /** @type {Map<string, vscode.Uri>} The documents that are shown, by the files that they are ports of. */
        this.shown = new Map();
    }

    /**
     * @param {vscode.Uri} source
     */
    async read(source) {
        if (client?.state !== State.Running) {
            throw new Error("torchada is not running");
        }
        return client.sendRequest("torchada/ported", { textDocument: { uri: source.toString() } });
    }

    /**
     * @param {vscode.Uri} uri
     */
    async provideTextDocumentContent(uri) {
        return (await this.read(vscode.Uri.parse(uri.query, true))).text;
    }

    /**
     * Show the port of a file beside it.
     * @param {vscode.Uri} source
     */
    async show(source) {
        const port = await this.read(source);
        const path = port.path ? `/${port.path}` : source.path;
        const uri = vscode.Uri.from({ scheme: PORT, path, query: source.toString() });
        this.shown.set(source.toString(), uri);
        let document = await vscode.workspace.openTextDocument(uri);
        if (/\.(cu|mu)h?$/.test(path)) {
            document = await vscode.languages.setTextDocumentLanguage(document, "cpp");
        }
        await vscode.window.showTextDocument(document, {
            viewColumn: vscode.ViewColumn.Beside,
            preserveFocus: true,
            preview: true,
        });
    }

    /**
     * @param {vscode.TextDocument} source
     */
    follow(source) {
        const uri = this.shown.get(source.uri.toString());
        if (uri !== undefined) {
            this.changed.fire(uri);
        }
    }

    /**
     * @param {vscode.TextDocument} closed
     */
    forget(closed) {
        if (closed.uri.scheme === PORT) {
            this.shown.delete(closed.uri.query);
        }
    }
}

/** What codes mean, as documents. */
const codes = {
    /**
     * @param {vscode.Uri} uri
     */
    provideTextDocumentContent(uri) {
        const code = uri.path.replace(/^\//, "").replace(/\.md$/, "");
        return client?.sendRequest("workspace/executeCommand", {
            command: "torchada.explain",
            arguments: [code],
        });
    },
};

/**
 * @param {vscode.ExtensionContext} context
 */
async function activate(context) {
    const ports = new Ports();
    const start = async () => {
        await client?.dispose();
        client = makeClient(ports);
        try {
            await client.start();
        } catch (error) {
            const program = vscode.workspace.getConfiguration("torchada").get("path", "torchada");
            vscode.window.showErrorMessage(
                `torchada: can't start \`${program} server\` (${error}). Install it with \`pip install torchada-port\`, or name it in the setting torchada.path.`,
            );
        }
    };
    context.subscriptions.push(
        vscode.workspace.registerTextDocumentContentProvider(PORT, ports),
        vscode.workspace.registerTextDocumentContentProvider(CODE, codes),
        vscode.workspace.onDidChangeTextDocument((event) => ports.follow(event.document)),
        vscode.workspace.onDidCloseTextDocument((document) => ports.forget(document)),
        vscode.commands.registerCommand("torchada.restart", start),
        vscode.commands.registerCommand("torchada.showPort", async () => {
            const source = vscode.window.activeTextEditor?.document.uri;
            if (source !== undefined) {
                await ports.show(source);
            }
        }),
    );
    await start();
}

async function deactivate() {
    await client?.stop();
}

module.exports = { activate, deactivate };
