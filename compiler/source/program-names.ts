/** Whether a program of a service is a JavaScript module, by its name; any other is a static program. */
export function isModule(path: string): boolean {
  return /\.m?js$/.test(path);
}
