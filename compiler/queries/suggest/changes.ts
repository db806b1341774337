// Proposes changes of a page that allow calls of one tool under a condition and change nothing else. A change adds a
// line for this tool in the declaration whose line causes the prompt. Only the lines with the most specific pattern
// decide. So the change also adds a copy of each deciding line with a condition, and the copy names this tool alone.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { FIRST_DECISION } from "../../../engine/lib/policy/index.ts";
import { getText, makeSpan } from "../../../lang/text/index.ts";
import {
  type BoundLine,
  type BoundPattern,
  EVERYTHING,
  type Model,
  type Session,
  type Tool,
} from "../../phases/bind/index.ts";
import { listBases } from "../../phases/policy/index.ts";
import { UNSAID } from "../diff/index.ts";
import { addLine, type Edit, insertAtEnd, type Owner } from "../why/index.ts";

/**
 * A change of the page that may make the wanted calls run without a prompt. Only the compiled result shows whether it
 * does.
 */
export interface Candidate {
  readonly edits: readonly Edit[];
  /** Text of the new line, for a person. */
  readonly line: string;
}

interface Wanted {
  readonly tables: IndexedTables;
  readonly model: Model;
  readonly session: Session;
  readonly tool: Tool;
  /** Rows in which the calls were observed. */
  readonly rows: readonly number[];
  readonly checks: readonly string[];
}

/**
 * Proposes changes, the narrow changes first: a line for only this session precedes a line that other sessions inherit.
 */
export function proposeChanges(wanted: Wanted): readonly Candidate[] {
  const { session } = wanted;
  const byOwner = findDecidingLines(wanted);
  const layers = [...byOwner].filter(([owner]) => !("base" in owner));
  const sessions = [...byOwner].filter(([owner]) => "base" in owner);
  const inner = layers.flatMap(([owner, lines]) => replaceLines(owner, wanted, lines));
  const plain = sessions.flatMap(([owner, lines]) => replaceLines(owner, wanted, lines));
  const all = [...new Set(sessions.flatMap(([, lines]) => lines))];
  const widening = sessions.length === 0 ? [] : [proposeWidening(session, writeLines(wanted, all))];
  const [line = ""] = writeNewLines(wanted, [...byOwner.values()].flat());
  const isInherited = sessions.some(([owner]) => owner !== session);
  const candidates = isInherited ? [widening, plain] : [plain, widening];
  return candidates.map((edits) => ({ edits: [...edits, ...inner], line })).filter(({ edits }) => edits.length > 0);
}

function proposeWidening(session: Session, lines: readonly string[]): Edit {
  return insertAtEnd(session.node.span, `widen { ${lines.join("  ")} } because "${UNSAID}"`);
}

/**
 * Returns the lines that decide about the tool in the rows, by owner: the session, task or phase that declares the
 * line. For a line of the standard library, the owner is the session of the page that gets the new line.
 */
function findDecidingLines({ tables, model, session, tool, rows }: Wanted): ReadonlyMap<Owner, readonly BoundLine[]> {
  const ids = new Set(rows.flatMap((row) => listRules(tables, row, tool.name)));
  const owners = new Map<Owner, readonly BoundLine[]>();
  const own: readonly Owner[] = [
    ...model.sessions.filter((one) => one.own),
    ...model.tasks,
    ...model.tasks.flatMap(({ phases }) => phases),
  ];
  for (const owner of own) {
    const lines = owner.lines.filter(({ words }) => ids.has(`${owner.id}/${words}`));
    if (lines.length > 0) owners.set(owner, lines);
  }
  for (const base of listBases(session).filter((one) => !one.own)) {
    const lines = base.lines.filter(({ words }) => ids.has(`${base.id}/${words}`));
    const nearest =
      listBases(session)
        .filter((one) => one.own)
        .at(-1) ?? session;
    if (lines.length > 0) owners.set(nearest, [...(owners.get(nearest) ?? []), ...lines]);
  }
  return owners;
}

function listRules(tables: IndexedTables, row: number, tool: string): readonly string[] {
  const cell = tables.rows[row]?.cells[tables.toolIndex.get(tool) ?? -1] ?? 0;
  const clauses = tables.decisions[cell - FIRST_DECISION]?.clauses ?? [];
  return clauses.flatMap(({ rule }) => tables.rules[rule]?.id ?? []);
}

/** Returns edits that replace lines about exactly this tool by the new lines and copies of the conditional lines. */
function replaceLines(owner: Owner, wanted: Wanted, lines: readonly BoundLine[]): readonly Edit[] {
  const isSaid = createRedundancyCheck(owner, wanted.tool);
  const exact = owner.lines.flatMap((one) => removePatterns(one, isSaid));
  return [...exact, ...writeLines(wanted, lines).map((text) => addLine(owner, text))];
}

/**
 * Returns the new lines, and a copy of each line with a condition, in which the pattern is this tool alone. The copies
 * are needed, because only the lines with the most specific pattern decide, and the new lines have that pattern.
 */
function writeLines(wanted: Wanted, lines: readonly BoundLine[]): readonly string[] {
  const kept = lines.flatMap(({ mode, where }) =>
    where === undefined ? [] : [writeLine(wanted.tool, mode, listChecks(where), where.otherwise)],
  );
  return [...new Set([...writeNewLines(wanted, lines), ...kept])];
}

/**
 * Returns lines for the new condition. If a line with a condition causes the prompt, the new line has its conditions
 * and more, and so takes precedence. Otherwise the new line has only the new condition.
 */
function writeNewLines({ tool, checks }: Wanted, lines: readonly BoundLine[]): readonly string[] {
  const asking = lines.flatMap(({ mode, where }) => (where !== undefined && mode === "consent" ? [where] : []));
  if (checks.length === 0) return [`auto ${tool.name}`];
  if (asking.length === 0) return [writeLine(tool, "auto", checks, "consent")];
  return asking.map((where) =>
    writeLine(tool, "auto", [...new Set([...listChecks(where), ...checks])], where.otherwise),
  );
}

function listChecks({ checks }: NonNullable<BoundLine["where"]>): readonly string[] {
  return checks.map(({ node }) => getText(node.span));
}

function writeLine(tool: Tool, mode: string, checks: readonly string[], otherwise: string): string {
  return `${mode} ${tool.name} where ${checks.join(" and ")} else ${otherwise}`;
}

/**
 * Returns a function that tests whether a pattern has no effect after a line for the tool is added. A pattern has no
 * effect if every tool of the pattern also has a line for only this tool.
 */
function createRedundancyCheck({ lines }: Owner, tool: Tool): (pattern: BoundPattern) => boolean {
  const patterns = lines.flatMap((line) => line.patterns);
  const named = new Set([
    tool,
    ...patterns.flatMap((pattern) => pattern.tools.filter((one) => isNameOf(pattern, one))),
  ]);
  return (pattern) => {
    if (isNameOf(pattern, tool)) return true;
    const isOfMethods = pattern.category === undefined && pattern.key !== EVERYTHING;
    const isOther = pattern.tools.every((one) => one !== tool);
    return isOfMethods && !isOther && !pattern.tools.some((one) => !named.has(one));
  };
}

function isNameOf(pattern: BoundPattern, { name }: Tool): boolean {
  return getText(pattern.span) === name;
}

/** Returns edits that remove patterns from a line. `isSaid` selects the patterns to remove. */
function removePatterns({ patterns, node }: BoundLine, isSaid: (pattern: BoundPattern) => boolean): readonly Edit[] {
  const left = patterns.filter((pattern) => !isSaid(pattern));
  if (left.length === patterns.length) return [];
  if (left.length === 0) return [{ span: node.span, replacement: "" }];
  const [first, last] = [patterns[0], patterns.at(-1)];
  if (first === undefined || last === undefined) return [];
  const all = makeSpan(first.span.source, first.span.start, last.span.end);
  return [{ span: all, replacement: left.map((pattern) => getText(pattern.span)).join(", ") }];
}
