// Renders basic strings of TOML, and arrays of basic strings.

export function renderTomlString(text: string): string {
  // A JSON string is a TOML basic string, except for the delete character.
  return JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");
}

export function renderTomlList(texts: readonly string[]): string {
  return `[${texts.map(renderTomlString).join(", ")}]`;
}
