/**
 * Returns whether the file name of a service's program is that of a JavaScript module. Any other program is a static
 * program.
 */
export function isModule(path: string): boolean {
  return /\.m?js$/.test(path);
}

/**
 * Returns whether the file name of a module is that of an MCP server. An MCP server communicates by standard input and
 * output.
 */
export function isServer(path: string): boolean {
  return /\.mcp\.m?js$/.test(path);
}
