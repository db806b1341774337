// Stands in for the MCP server: REASON.
// Each function gets the arguments of a call. It returns the result, { text: "…" } if the server's list says nothing else of it, or
// throws an error, whose message the model sees. It runs in a jail: no network, no other process and no files.

export default {
  FUNCTIONS,
};
