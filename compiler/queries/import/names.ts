// Reads lists of names, and matches names with patterns.

/** Returns the words of a text. */
export function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/**
 * Returns whether a name matches a pattern with wildcards. The search never goes back in the name, so it is fast for
 * every pattern.
 */
export function isNamedBy(pattern: string, name: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let rest = name.slice(first.length);
  for (const part of parts) {
    const found = rest.indexOf(part);
    if (found === -1) return false;
    rest = rest.slice(found + part.length);
  }
  return rest.endsWith(last);
}
