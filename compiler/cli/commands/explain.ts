// capc explain prints the page of a diagnostic, an outcome, a mode or an inherited assertion, or the list of all codes.

import { basename } from "node:path";
import { Outcome } from "../../../engine/lib/wire/generated/capos.ts";
import { findNearest } from "../../../lang/diagnostics/index.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { WORDS } from "../../phases/bind/index.ts";
import { type AssertionPage, findAssertionPage } from "../assertion-pages.ts";
import { type Command, createRefuser, JSON_OPTION } from "../command.ts";
import { type DiagnosticPage, readDiagnosticPages } from "../diagnostic-pages.ts";
import { findModePage, listModes, type ModePage } from "../mode-pages.ts";
import { findOutcomePage, type OutcomePage } from "../outcome-pages.ts";

const refuse = createRefuser("explain");

/** `capc explain [CODE]` */
export const explain: Command = {
  name: "explain",
  operands: ["[CODE]"],
  does: "explain a code, an outcome (refusedByPolicy), a mode or an inherited assertion; without CODE, list all codes",
  options: [JSON_OPTION],
  run: async (typed, world) => {
    const pages = await readDiagnosticPages();
    const wanted = typed.operands[0] ?? "all";
    const json = typed.switches.has("json");
    if (wanted === "all") return printText(json ? JSON.stringify(pages) : listPages(pages), world);
    const page = pages.find(({ code }) => code === wanted);
    if (page !== undefined) return printText(json ? JSON.stringify(page) : renderPage(page), world);
    const outcome = findOutcomePage(wanted);
    if (outcome !== undefined) return printText(json ? JSON.stringify(outcome) : renderOutcome(outcome), world);
    const mode = findModePage(wanted);
    if (mode !== undefined) return printText(json ? JSON.stringify(mode) : renderMode(mode), world);
    const assertion = findAssertionPage(wanted);
    if (assertion !== undefined) return printText(json ? JSON.stringify(assertion) : renderAssertion(assertion), world);
    // The name may be the folder of a law or of an advice, here called a rule. Its messages may have other codes.
    const codes = pages.filter(({ folder }) => basename(folder) === wanted).map(({ code }) => code);
    if (codes.length > 0)
      return refuse(world, 2, `'${wanted}' is a rule, not a code; its codes are ${codes.join(", ")}`);
    const near = findNearest(wanted, [
      ...pages.map(({ code }) => code),
      ...Outcome.members,
      ...MODES,
      ...WORDS.inherited,
    ]);
    const hint = near === undefined ? "see capc explain" : `did you mean ${near}?`;
    return refuse(world, 2, `there is no code, outcome, mode or inherited assertion '${wanted}'; ${hint}`);
  },
};

function printText(text: string, world: World): ExitStatus {
  world.print(`${text}\n`);
  return 0;
}

function listPages(pages: readonly DiagnosticPage[]): string {
  const width = Math.max(...pages.map(({ code }) => code.length));
  return pages
    .map(({ code, severity, because }) => `${code.padEnd(width)}  ${severity.padEnd(7)}  ${because.join(" ")}`)
    .join("\n");
}

function renderPage({ code, severity, because, readme, examples }: DiagnosticPage): string {
  const texts = examples.map(({ name, text }) => `${name}:\n\n${indent(text)}`);
  const words = readme === undefined ? [] : [readme.trimEnd()];
  return [`${code} (${severity})`, because.join("\n"), ...words, ...texts].join("\n\n");
}

function renderOutcome({ outcome, meaning, next }: OutcomePage): string {
  return [`${outcome} (outcome of a call)`, meaning, next].join("\n\n");
}

function renderMode({ mode, meaning, next }: ModePage): string {
  return [`${mode} (mode of a rule)`, meaning, next, listModes()].join("\n\n");
}

function renderAssertion({ assertion, meaning, because, next }: AssertionPage): string {
  const waiver = `\`waive ${assertion} for SESSION because "REASON"\` on the page accepts it for one session.`;
  return [`${assertion} (assertion of every page)`, meaning, because, next, waiver].join("\n\n");
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n");
}
