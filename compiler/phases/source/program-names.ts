/** Returns whether a program of a service is a JavaScript module, by its name; any other is a static program. */
export function isModule(path: string): boolean {
  return /\.m?js$/.test(path);
}

/** Returns whether such a module is a server of the Model Context Protocol, which uses its standard input and output. */
export function isServer(path: string): boolean {
  return /\.mcp\.m?js$/.test(path);
}
