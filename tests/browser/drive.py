"""Drives a headless Chromium over its debugging pipe: steps in as JSON, what came of them out.

Each step of the list on standard input is an object with one of these keys:

open   a file, with `width`, `dark` and `script` (false: scripts are off) beside it
reload anything: the page is loaded again, with its address
eval   an expression, whose value is the result
key    a key that is pressed, such as Enter
type   text that is typed
shot   a file for a picture of the page, with `height` beside it

Standard output is an object: `results`, one for each step, and `messages`: those of the console, errors of
scripts, and requests for anything but the page itself.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from base64 import b64decode
from pathlib import Path

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
         "--disable-dev-shm-usage", "--force-device-scale-factor=1", "--remote-debugging-pipe"]


class Browser:
    def __init__(self, program, profile):
        in_read, self.to = os.pipe()
        self.out, out_write = os.pipe()
        for fd in (in_read, out_write):
            os.set_inheritable(fd, True)

        def pipes():
            # The browser reads commands from 3 and writes to 4.
            first, second = os.dup(in_read), os.dup(out_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            close_fds=False, preexec_fn=pipes, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(in_read)
        os.close(out_write)
        self.number = 0
        self.buffer = b""
        self.session = None
        self.messages = []
        self.page = None
        self.loaded = False

    def message(self):
        while b"\0" not in self.buffer:
            read = os.read(self.out, 1 << 16)
            if not read:
                raise SystemExit("the browser ended")
            self.buffer += read
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def note(self, event):
        name, about = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            self.messages.append("exception: " + json.dumps(about["exceptionDetails"])[:500])
        elif name == "Runtime.consoleAPICalled":
            self.messages.append("console: " + json.dumps(about["args"])[:500])
        elif name == "Log.entryAdded":
            self.messages.append("log: " + about["entry"]["text"][:500])
        elif name == "Network.requestWillBeSent" and about["request"]["url"] != self.page:
            self.messages.append("request: " + about["request"]["url"][:500])
        elif name == "Page.javascriptDialogOpening":
            self.messages.append("dialog: " + about["message"][:500])
        elif name == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def open(self, step):
        self.page = Path(step["open"]).resolve().as_uri()
        dark = "dark" if step.get("dark") else "light"
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": dark}])
        self.call("Emulation.setDeviceMetricsOverride", width=step["width"], height=900,
                  deviceScaleFactor=1, mobile=step["width"] < 500)
        self.call("Emulation.setScriptExecutionDisabled", value=step.get("script") is False)
        self.load("Page.navigate", url=self.page)

    def reload(self, _):
        self.load("Page.reload")

    def load(self, method, **params):
        self.loaded = False
        self.call(method, **params)
        while not self.loaded:
            self.note(self.message())

    def eval(self, step):
        made = self.call("Runtime.evaluate", expression=step["eval"], awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in made:
            raise SystemExit(f"{step['eval']}: {json.dumps(made['exceptionDetails'])[:800]}")
        return made["result"].get("value")

    def key(self, step):
        key = step["key"]
        about = {"key": key, "code": key}
        if key == "Enter":
            about |= {"text": "\r", "windowsVirtualKeyCode": 13}
        elif key == "Tab":
            about |= {"windowsVirtualKeyCode": 9}
        self.call("Input.dispatchKeyEvent", type="keyDown", **about)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def type(self, step):
        self.call("Input.insertText", text=step["type"])

    def shot(self, step):
        width = self.eval({"eval": "innerWidth"})
        clip = {"x": 0, "y": 0, "width": width, "height": step["height"], "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        Path(step["shot"]).write_bytes(b64decode(data["data"]))

    def end(self):
        self.session = None
        os.write(self.to, b'{"id":0,"method":"Browser.close"}\0')
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def main():
    # A browser that hangs must not hang its test.
    signal.alarm(300)
    steps = json.load(sys.stdin)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(sys.argv[1], profile)
        browser.attach()
        results = []
        for step in steps:
            name = next(name for name in ("open", "reload", "eval", "key", "type", "shot") if name in step)
            results.append(getattr(browser, name)(step))
        browser.end()
    json.dump({"results": results, "messages": browser.messages}, sys.stdout)


main()
