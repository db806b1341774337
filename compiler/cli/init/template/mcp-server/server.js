// Takes the place of the MCP server: REASON.
// Each function gets the arguments of a call. It returns the result, which is { text: "…" } unless the server's list
// describes another form. If it throws an error, the model reads the error's message. It runs in a jail: no network, no other process and no files.

export default {
  FUNCTIONS,
};
