// Lists the findings below the page: a finding leads to its place, and offers its fix if the fix is certain.

import type { Finding, Range } from "../protocol.ts";
import { made } from "./elements.ts";

/** Maximum number of findings in the list; thousands of findings usually come from one mistake. */
const MOST_SHOWN = 100;

interface Actions {
  readonly show: (range: Range) => void;
  readonly change: (range: Range, insert: string) => void;
  /** Creates a file that the page names and that is missing. */
  readonly make: (path: string) => void;
  /** Writes the digests of the present imports to cap.lock. */
  readonly pin: () => void;
}

export function listFindings(list: HTMLElement, findings: readonly Finding[], actions: Actions): void {
  list.replaceChildren(...findings.slice(0, MOST_SHOWN).map((finding) => itemOf(finding, actions)));
  const more = findings.length - MOST_SHOWN;
  if (more > 0) list.append(made("li", `and ${more} more`));
}

function itemOf(finding: Finding, { show, change, make, pin }: Actions): HTMLElement {
  const { severity, code, message, because, help, place, range, fix, missing, isPinning } = finding;
  const item = made("li", "", { class: severity });
  const words = [made("strong", `${severity}[${code}]`), ` ${message} `, made("span", place, { class: "place" })];
  const head = range === undefined ? made("p", "") : made("button", "", { type: "button", class: "found" });
  head.append(...words);
  if (range !== undefined) head.addEventListener("click", () => show(range));
  item.append(head, made("p", because, { class: "because" }));
  if (help !== undefined) item.append(made("p", help, { class: "help" }));
  if (fix !== undefined) {
    const label = fix.insert === "" ? "Take it out" : `Put \`${fix.insert}\` there`;
    const button = made("button", label, { type: "button" });
    button.addEventListener("click", () => change(fix, fix.insert));
    item.append(button);
  }
  if (missing !== undefined) {
    const button = made("button", `Make ${missing}`, { type: "button" });
    button.addEventListener("click", () => make(missing));
    item.append(button);
  }
  if (isPinning) {
    const button = made("button", "Pin it in cap.lock as it is", { type: "button" });
    button.addEventListener("click", pin);
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
