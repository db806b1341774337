/** Returns whether a name is in the form of URLs: lower case, no dot at its end. */
export function isHostName(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
}
