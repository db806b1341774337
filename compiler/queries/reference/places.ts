// Renders one section for each place (session, task, phase or worker), with the tools that may be called there and
// their gates.

import {
  computeLoosestMode,
  FIRST_DECISION,
  formatLabel,
  formatSecrecy,
  isStricter,
  listRedactions,
  type PermissionMode,
  renderParameter,
} from "../../../engine/lib/policy/index.ts";
import type { Decision, PolicyTables, Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../../phases/bind/index.ts";
import { listExtended, listTimeLimits } from "../../phases/policy/index.ts";
import { renderClearance } from "./labels.ts";
import { renderCell, renderCode, renderCodeCell, renderInline, renderParagraphs, renderTable } from "./markdown.ts";

/** Returns a section of Markdown for each place, in the order of the rows of the tables. */
export function placeSections(tables: PolicyTables, model: Model): readonly string[] {
  return tables.rows.flatMap((row) => [
    ...renderTaskHeading(row, model),
    `${"#".repeat(computeDepth(row))} ${renderTitle(row)}`,
    ...renderParagraphs(findDoc(row, model)),
    renderFacts(tables, row),
    ...renderToolTable(tables, row),
    ...renderFloors(tables, row),
  ]);
}

/**
 * Renders the heading of a task with phases. The task itself has no section, because a task begins in its first phase.
 */
function renderTaskHeading(row: Row, model: Model): readonly string[] {
  if (row.phase === "" || row.phaseIndex > 0 || row.worker !== "") return [];
  const task = { ...row, phase: "" };
  return [`${"#".repeat(computeDepth(task))} ${renderTitle(task)}`, ...renderParagraphs(findDoc(task, model))];
}

function computeDepth({ task, phase, worker }: Row): number {
  return 3 + [task, phase, worker].filter((part) => part !== "").length;
}

function renderTitle({ session, task, phase, worker }: Row): string {
  if (worker !== "") return `Worker ${renderInline(worker)}`;
  if (phase !== "") return `Phase ${renderInline(phase)}`;
  return task === "" ? `Session ${renderInline(session)}` : `Task ${renderInline(task)}`;
}

/**
 * Returns the doc comment of a place, or an empty text. The task or worker of a session may be declared in a session
 * that it extends.
 */
function findDoc({ session, task, phase, worker }: Row, model: Model): string {
  const own = model.sessions.find(({ id }) => id === session);
  if (task === "" && worker === "") return own?.node.doc ?? "";
  const line = own === undefined ? [] : listExtended(own);
  if (worker !== "") {
    const found = model.workers.find(({ name, within }) => name === worker && line.includes(within.session));
    return found?.node.doc ?? "";
  }
  const found = model.tasks.find(({ name, session: of }) => name === task && line.includes(of));
  return (phase === "" ? found?.node.doc : found?.phases.find(({ name }) => name === phase)?.node.doc) ?? "";
}

function renderFacts(tables: PolicyTables, row: Row): string {
  const names = row.principals.map((index) => tables.principals[index]?.name ?? "");
  const backends = row.backends.map(({ backend, mode }) =>
    renderCode(`${mode} ${tables.backends[backend]?.name ?? ""}`),
  );
  const masked = tables.redactions
    .filter((redaction) =>
      row.backends.some(({ backend }) => {
        const known = tables.backends[backend];
        return known !== undefined && listRedactions(tables, known).includes(redaction);
      }),
    )
    .map(({ name, label }) => `${renderInline(name)} (${renderCode(formatSecrecy(tables.lattice, label))})`);
  const quotas = row.quotas.map(({ rule }) => renderCode(getRuleText(tables, rule)));
  const limits = listTimeLimits(row.timeouts);
  const facts: readonly (readonly [string, string])[] = [
    ["kind", renderInline(row.kind)],
    ["entered behind", row.entry === "auto" ? "" : renderCode(row.entry)],
    ["begins with", row.parameters.map((one) => renderCode(renderParameter(one))).join(", ")],
    ["runs", row.requiresTask ? "nothing, outside of a task" : ""],
    ["opened by", row.login === "none" ? "" : `login with a ${row.login}`],
    ["principals", names.map(renderInline).join(", ")],
    ["clearance", renderCode(renderClearance(tables.lattice, row.clearance))],
    ["starts at", renderCode(formatLabel(tables.lattice, row.starts))],
    ["models", backends.join(", ")],
    ["masked for models of lower clearance", masked.join(", ")],
    ["quotas", quotas.join(", ")],
    ["time limits", limits.map(([scope, ms]) => `${ms / 1000} s per ${scope}`).join(", ")],
    ["consent is remembered for a", row.remember === "none" ? "" : row.remember],
  ];
  return facts
    .filter(([, said]) => said !== "")
    .map(([fact, said]) => `- ${fact}: ${said}`)
    .join("\n");
}

/**
 * Returns the table of tools in a place. The table omits tools that no line covers, because they never run and are
 * hidden from models.
 */
function renderToolTable(tables: PolicyTables, row: Row): readonly string[] {
  const rows = tables.tools.flatMap(({ name, category, description }, index) => {
    const decision = tables.decisions[(row.cells[index] ?? 0) - FIRST_DECISION];
    if (decision === undefined) return [];
    const lines = decision.clauses.map(({ rule }) => renderCodeCell(getRuleText(tables, rule)));
    return [
      [
        renderCodeCell(name),
        renderCell(tables.categories[category]?.name ?? ""),
        renderGates(decision),
        [...new Set(lines)].join("; "),
        renderCell(description),
      ],
    ];
  });
  if (rows.length === 0) return ["No tool can be called here."];
  return renderTable(["tool", "category", "gate", "line of the page", "what it does"], rows);
}

/**
 * Renders the modes that arguments can cause, without floors. If several groups of lines apply, the strictest group
 * counts.
 */
function renderGates({ clauses }: Decision): string {
  const outcomes = clauses.flatMap(({ conditions, met, otherwise }) =>
    conditions.length === 0 ? [met] : [met, otherwise],
  );
  const least = computeLoosestMode(clauses);
  const modes = outcomes.map((mode) => pickStricter(mode, least));
  return [...new Set(modes)].sort((left, right) => (isStricter(left, right) ? 1 : -1)).join(" or ");
}

function pickStricter(left: PermissionMode, right: PermissionMode): PermissionMode {
  return isStricter(left, right) ? left : right;
}

function renderFloors(tables: PolicyTables, row: Row): readonly string[] {
  const decisions = row.cells.flatMap((value) => tables.decisions[value - FIRST_DECISION] ?? []);
  const rules = new Set(decisions.flatMap(({ floors }) => floors.map(({ rule }) => rule)));
  if (rules.size === 0) return [];
  const lines = [...rules]
    .sort((left, right) => left - right)
    .map((rule) => `- ${renderCode(getRuleText(tables, rule))}`);
  return ["Stricter as soon as a conversation has taken on more:", lines.join("\n")];
}

function getRuleText({ rules }: PolicyTables, index: number): string {
  return rules[index]?.words ?? "";
}
