// Returns elements of the page by their names. A missing element is a defect of page.html.

export function element<T extends HTMLElement>(id: string, kind: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

/** Creates an element with text and attributes. */
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
