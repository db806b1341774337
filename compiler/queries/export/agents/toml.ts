// TOML as others read it: basic strings and arrays of them, and nothing else.

export function renderTomlString(text: string): string {
  // A string of JSON is a basic string of TOML, but for the delete character.
  return JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");
}

export function renderTomlList(texts: readonly string[]): string {
  return `[${texts.map(renderTomlString).join(", ")}]`;
}
