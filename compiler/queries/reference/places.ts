// One section for each place that a conversation can be in: what it may do there, and behind which gate.

import { FIRST_DECISION, isStricter, labelText, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Decision, PolicyTables, Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../../phases/bind/index.ts";
import { extendedBy, listTimeLimits } from "../../phases/policy/index.ts";
import { clearanceWords } from "./labels.ts";
import { cell, code, codeCell, inline, paragraphs, table } from "./markdown.ts";

/** Blocks of Markdown, in the order of the rows of the tables. */
export function placeSections(tables: PolicyTables, model: Model): readonly string[] {
  return tables.rows.flatMap((row) => [
    ...taskOfFirstPhase(row, model),
    `${"#".repeat(depthOf(row))} ${titleOf(row)}`,
    ...paragraphs(docOf(row, model)),
    factsOf(tables, row),
    ...toolTable(tables, row),
    ...floorsOf(tables, row),
  ]);
}

/** A task with phases is no place itself: nobody is in it before its first phase. */
function taskOfFirstPhase(row: Row, model: Model): readonly string[] {
  if (row.phase === "" || row.phaseIndex > 0 || row.worker !== "") return [];
  const task = { ...row, phase: "" };
  return [`${"#".repeat(depthOf(task))} ${titleOf(task)}`, ...paragraphs(docOf(task, model))];
}

function depthOf({ task, phase, worker }: Row): number {
  return 3 + [task, phase, worker].filter((part) => part !== "").length;
}

function titleOf({ session, task, phase, worker }: Row): string {
  if (worker !== "") return `Worker ${inline(worker)}`;
  if (phase !== "") return `Phase ${inline(phase)}`;
  return task === "" ? `Session ${inline(session)}` : `Task ${inline(task)}`;
}

/** What the page says of a place. A session has the tasks and workers of those that it extends. */
function docOf({ session, task, phase, worker }: Row, model: Model): string {
  const own = model.sessions.find(({ id }) => id === session);
  if (task === "" && worker === "") return own?.node.doc ?? "";
  const line = own === undefined ? [] : extendedBy(own);
  if (worker !== "") {
    const found = model.workers.find(({ name, within }) => name === worker && line.includes(within.session));
    return found?.node.doc ?? "";
  }
  const found = model.tasks.find(({ name, session: of }) => name === task && line.includes(of));
  return (phase === "" ? found?.node.doc : found?.phases.find(({ name }) => name === phase)?.node.doc) ?? "";
}

function factsOf(tables: PolicyTables, row: Row): string {
  const names = row.principals.map((index) => tables.principals[index]?.name ?? "");
  const backends = row.backends.map(({ backend, mode }) => code(`${mode} ${tables.backends[backend]?.name ?? ""}`));
  const quotas = row.quotas.map(({ rule }) => code(wordsOf(tables, rule)));
  const limits = listTimeLimits(row.timeouts);
  const facts: readonly (readonly [string, string])[] = [
    ["kind", inline(row.kind)],
    ["entered behind", row.entry === "auto" ? "" : code(row.entry)],
    ["opened by", row.login === "none" ? "" : `login with a ${row.login}`],
    ["principals", names.map(inline).join(", ")],
    ["clearance", code(clearanceWords(tables.lattice, row.clearance))],
    ["starts at", code(labelText(tables.lattice, row.starts))],
    ["models", backends.join(", ")],
    ["quotas", quotas.join(", ")],
    ["time limits", limits.map(([scope, ms]) => `${ms / 1000} s per ${scope}`).join(", ")],
    ["consent is remembered for a", row.remember === "none" ? "" : row.remember],
  ];
  return facts
    .filter(([, said]) => said !== "")
    .map(([fact, said]) => `- ${fact}: ${said}`)
    .join("\n");
}

/** Tools that exist there. What no line covers never runs and is not told to a model: it is left out as well. */
function toolTable(tables: PolicyTables, row: Row): readonly string[] {
  const rows = tables.tools.flatMap(({ name, category, description }, index) => {
    const decision = tables.decisions[(row.cells[index] ?? 0) - FIRST_DECISION];
    if (decision === undefined) return [];
    const lines = decision.clauses.map(({ rule }) => codeCell(wordsOf(tables, rule)));
    return [
      [
        codeCell(name),
        cell(tables.categories[category]?.name ?? ""),
        gateOf(decision),
        [...new Set(lines)].join("; "),
        cell(description),
      ],
    ];
  });
  if (rows.length === 0) return ["No tool can be called here."];
  return table(["tool", "category", "gate", "line of the page", "what it does"], rows);
}

/** The modes that arguments can bring about, without the floors: of layers the strictest counts, whatever others allow. */
function gateOf({ clauses }: Decision): string {
  const outcomes = clauses.map(({ conditions, met, otherwise }) =>
    conditions.length === 0 ? [met] : [met, otherwise],
  );
  const least = outcomes.map((modes) => modes.reduce(kinder)).reduce(stricter, "auto");
  const modes = outcomes.flat().map((mode) => stricter(mode, least));
  return [...new Set(modes)].sort((left, right) => (isStricter(left, right) ? 1 : -1)).join(" or ");
}

function stricter(left: PermissionMode, right: PermissionMode): PermissionMode {
  return isStricter(left, right) ? left : right;
}

function kinder(left: PermissionMode, right: PermissionMode): PermissionMode {
  return isStricter(left, right) ? right : left;
}

function floorsOf(tables: PolicyTables, row: Row): readonly string[] {
  const decisions = row.cells.flatMap((value) => tables.decisions[value - FIRST_DECISION] ?? []);
  const rules = new Set(decisions.flatMap(({ floors }) => floors.map(({ rule }) => rule)));
  if (rules.size === 0) return [];
  const lines = [...rules].sort((left, right) => left - right).map((rule) => `- ${code(wordsOf(tables, rule))}`);
  return ["Stricter as soon as a conversation has taken on more:", lines.join("\n")];
}

function wordsOf({ rules }: PolicyTables, index: number): string {
  return rules[index]?.words ?? "";
}
