-- Opens a source in Neovim with the server, types two lines before it, and prints what the editor shows of each text.
local root = vim.fn.getcwd()
vim.cmd("edit " .. root .. "/csrc/k.cu")
local id = vim.lsp.start_client({
  name = "torchada",
  cmd = { vim.env.TORCHADA, "server", "--no-facts" },
  root_dir = root,
  workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
})
vim.lsp.buf_attach_client(0, id)

local function shown(count)
  vim.wait(20000, function() return #vim.diagnostic.get(0) >= count end)
  for _, one in ipairs(vim.diagnostic.get(0)) do
    print(one.lnum .. ":" .. one.col .. " " .. one.message:match("[^\n]*"))
  end
end

shown(1)
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "// é😀", "int w = CUDART_VERSION;" })
shown(2)
local document = { uri = vim.uri_from_bufnr(0) }
local port = vim.lsp.buf_request_sync(0, "torchada/ported", { textDocument = document }, 20000)
print(port[id].result.path)
vim.cmd("qa!")
