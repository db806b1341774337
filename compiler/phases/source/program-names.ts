/**
 * Returns whether the name of a service's program is that of a JavaScript module; any other program is a static
 * program.
 */
export function isModule(path: string): boolean {
  return /\.m?js$/.test(path);
}

/** Returns whether the name of a module is that of an MCP server, which communicates by standard input and output. */
export function isServer(path: string): boolean {
  return /\.mcp\.m?js$/.test(path);
}
