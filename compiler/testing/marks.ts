/** A text with «marks» around what a diagnostic should underline. */
export interface Marked {
  readonly text: string;
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

export function withoutMarks(marked: string): Marked {
  const spans: { start: number; end: number }[] = [];
  let text = "";
  let start = 0;
  for (const part of marked.split(/([«»])/)) {
    if (part === "«") start = text.length;
    else if (part === "»") spans.push({ start, end: text.length });
    else text += part;
  }
  return { text, spans };
}
