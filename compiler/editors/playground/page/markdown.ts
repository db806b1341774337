// Shows the Markdown of the language server: paragraphs, lists, code and bold text. Everything becomes text of elements, never markup.

import { made } from "./elements.ts";

const PART =
  /(?<fence>`+)(?<code>.+?)\k<fence>(?!`)|\*\*(?<bold>.+?)\*\*|\\(?<escaped>[^\w\s])|(?<plain>[^`*\\]+|.)/gsu;

/** Returns an element that shows the text. */
export function showMarkdown(text: string): HTMLElement {
  const shown = made("div", "", { class: "cap-told" });
  shown.append(...text.split("\n\n").map(showBlock));
  return shown;
}

function showBlock(block: string): HTMLElement {
  if (!block.startsWith("- ")) return showLine("p", block);
  const list = made("ul", "");
  list.append(
    ...block
      .split(/\n?^- /m)
      .slice(1)
      .map((item) => showLine("li", item)),
  );
  return list;
}

function showLine(name: "p" | "li", line: string): HTMLElement {
  const element = made(name, "");
  for (const { groups = {} } of line.matchAll(PART)) {
    const { code, bold, escaped, plain } = groups;
    if (code !== undefined) element.append(made("code", code.replace(/^ (.*) $/s, "$1")));
    else if (bold !== undefined) element.append(made("strong", bold));
    else element.append(escaped ?? plain ?? "");
  }
  return element;
}
