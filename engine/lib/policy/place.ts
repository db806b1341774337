// Parses paths and URLs for `under` and `origin`. The functions return `undefined` for an ambiguous text; the caller then takes the
// strictest mode.

/**
 * Returns the names of a path in order: `a//./b` and `/a/b` have the same names. Returns `undefined` for a path with a zero byte, or with
 * `..`, whose meaning depends on the disk.
 */
export function parsePathSegments(path: string): readonly string[] | undefined {
  if (path.includes("\0")) return undefined;
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") return undefined;
    if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

/** Returns whether a path is the directory itself or inside it. */
export function isUnder(segments: readonly string[], directory: readonly string[]): boolean {
  return directory.every((segment, index) => segments[index] === segment);
}

/** Returns scheme://host[:port] as WHATWG URL writes it. A URL with a user name is refused, because it can be misread as another host. */
export function parseOrigin(url: string): string | undefined {
  const origin = parsePlainUrl(url)?.origin;
  return origin === "null" ? undefined : origin;
}

/** Returns a URL without a user name, or `undefined`: with a user name it can be misread as another host. */
export function parsePlainUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : undefined;
}
