// Lists the findings below the page: each leads to its place, and offers its fix if that is certain.

import type { Finding } from "../protocol.ts";
import type { Editor } from "./editor.ts";
import { made } from "./elements.ts";

/** A page with ten thousand findings usually has one mistake. */
const MOST_SHOWN = 100;

export function listFindings(list: HTMLElement, findings: readonly Finding[], editor: Editor): void {
  list.replaceChildren(...findings.slice(0, MOST_SHOWN).map((finding) => itemOf(finding, editor)));
  const more = findings.length - MOST_SHOWN;
  if (more > 0) list.append(made("li", `and ${more} more`));
}

function itemOf({ severity, code, message, because, help, place, range, fix }: Finding, editor: Editor): HTMLElement {
  const item = made("li", "", { class: severity });
  const words = [made("strong", `${severity}[${code}]`), ` ${message} `, made("span", place, { class: "place" })];
  const head = range === undefined ? made("p", "") : made("button", "", { type: "button", class: "found" });
  head.append(...words);
  if (range !== undefined) head.addEventListener("click", () => editor.show(range));
  item.append(head, made("p", because, { class: "because" }));
  if (help !== undefined) item.append(made("p", help, { class: "help" }));
  if (fix !== undefined) {
    const label = fix.insert === "" ? "Take it out" : `Put \`${fix.insert}\` there`;
    const button = made("button", label, { type: "button" });
    button.addEventListener("click", () => editor.change(fix, fix.insert));
    item.append(button);
  }
  return item;
}

/** Returns a text such as `2 errors, 1 warning`. */
export function countOf(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const counts = [
    [errors, "error"],
    [findings.length - errors, "warning"],
  ] as const;
  const said = counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`);
  return said.length === 0 ? "no findings" : said.join(", ");
}
