// Renders the attempts from inside every jail as a table of engine/THREATS.md. jail.test.ts checks that a machine has these results.

import { ROLE_NAMES } from "../../lib/roles/index.ts";
import { ATTEMPTS, type Attempt, answerFor, findProberRoles, type Prober } from "./jail-attempts.ts";

const FROM: Readonly<Record<Prober, string>> = { native: "calls", node: "Node" };

function renderRow(attempt: Attempt): string {
  const roles = findProberRoles(attempt.by);
  const answers = ROLE_NAMES.map((role) => (roles.includes(role) ? answerFor(attempt, role) : "–"));
  return `| ${[attempt.tries, FROM[attempt.by], ...answers].join(" | ")} |\n`;
}

/** Returns Markdown. */
export function renderAttemptTable(): string {
  const head = ["tried", "by", ...ROLE_NAMES];
  const rule = head.map(() => "---");
  return [head, rule].map((cells) => `| ${cells.join(" | ")} |\n`).join("") + ATTEMPTS.map(renderRow).join("");
}

/** Returns `page` with the table between its marks, or `undefined` if a mark is missing. */
export function insertAttemptTable(page: string): string | undefined {
  return placeSection(page, "jail-attempts", renderAttemptTable());
}

/** Returns `page` with `text` between the marks of a section, or `undefined` if a mark is missing. */
export function placeSection(page: string, section: string, text: string): string | undefined {
  const mark = `<!-- ${section}: begin -->\n`;
  const [begin, end] = [page.indexOf(mark), page.indexOf(`<!-- ${section}: end -->\n`)];
  if (begin < 0 || end < begin) return undefined;
  return `${page.slice(0, begin)}${mark}${text}${page.slice(end)}`;
}
