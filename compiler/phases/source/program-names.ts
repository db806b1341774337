/**
 * Returns whether the program of a service is a JavaScript module, by its file name; any other program is a static
 * program.
 */
export function isModule(path: string): boolean {
  return /\.m?js$/.test(path);
}

/**
 * Returns whether a module is an MCP server, by its file name; an MCP server communicates by standard input and output.
 */
export function isServer(path: string): boolean {
  return /\.mcp\.m?js$/.test(path);
}
