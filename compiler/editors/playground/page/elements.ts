// Elements of the page by their names. One that is missing is a defect of page.html.

export function element<T extends HTMLElement>(id: string, kind: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

/** An element with words in it and attributes on it. */
export function made<K extends keyof HTMLElementTagNameMap>(
  name: K,
  words: string,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[K] {
  const one = document.createElement(name);
  one.textContent = words;
  for (const [attribute, value] of Object.entries(attributes)) one.setAttribute(attribute, value);
  return one;
}
