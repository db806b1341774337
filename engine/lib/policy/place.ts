// Parses paths and URLs for `under` and `origin`. Both return `undefined` for an ambiguous text; the caller then takes the strictest mode.

/**
 * Returns the names in a path, in order, or `undefined` if the path is ambiguous. `a//./b` and `/a/b` are the same;
 * `..` is refused, because its meaning depends on the disk.
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

/** Returns whether a path is the directory itself or lies in it. */
export function isUnder(segments: readonly string[], directory: readonly string[]): boolean {
  return directory.every((segment, index) => segments[index] === segment);
}

/**
 * Returns scheme://host[:port] as WHATWG URL writes it. Returns `undefined` for a URL with a user name, which a person
 * may take for the host.
 */
export function parseOrigin(url: string): string | undefined {
  const origin = parsePlainUrl(url)?.origin;
  return origin === "null" ? undefined : origin;
}

/** Parses a URL. Returns `undefined` if it has a user name, which a person may take for the host. */
export function parsePlainUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : undefined;
}
