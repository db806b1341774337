// Narrows a line of the page to the path of one call. `capc why`, which has the page, and `/why`, which has only the page's tables, use the
// same words.
import type { Clause, Condition, Decision, Row, Tool } from "../wire/generated/policy.ts";
import { Files } from "../wire/generated/tools.ts";
import { isRecord } from "./canonical-json.ts";
import { limitLine } from "./change-words.ts";
import { renderCondition } from "./condition-text.ts";
import { findList } from "./decision-text.ts";
import { readJson } from "./json-reader.ts";
import { isStricter, type PermissionMode } from "./mode.ts";
import { parsePathSegments } from "./place.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** Most characters of a path that a proposed line names. */
const MOST_CHARACTERS = 200;

/**
 * Returns the argument as a folder from the root, such as `/notes/x`. Returns `undefined` if the arguments are not a JSON object, or if the
 * argument is not a path, leads to the root or out of it, or has characters that nobody sees on a page.
 */
export function readAskedPath(args: string, name: string): string | undefined {
  const value = readText(args, name);
  if (value === undefined || value.length > MOST_CHARACTERS || !/^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(value))
    return undefined;
  const folders = parsePathSegments(value);
  return folders === undefined || folders.length === 0 ? undefined : `/${folders.join("/")}`;
}

/**
 * Returns the length of `path` in bytes. An argument under `path` with at most this length is this path itself, because
 * every path below it is longer. `path` is a result of `readAskedPath`. Returns `undefined` if the argument spells the
 * path in more bytes, such as `./a`.
 */
export function findPathBound(args: string, name: string, path: string): number | undefined {
  const value = readText(args, name);
  const most = Buffer.byteLength(path);
  return value !== undefined && Buffer.byteLength(value) <= most ? most : undefined;
}

/** Returns an argument that is a text; `undefined` if the arguments are not a JSON object, or if the argument is not a text. */
function readText(args: string, name: string): string | undefined {
  const read = readJson(args);
  const value = read.ok && isRecord(read.value) ? read.value[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/**
 * Returns a new line with the patterns and the `else` of an old line. If the old line decided by its checks, the new line has these checks
 * and one more, and so displaces the old line. If the old line decided by its `else`, its checks fail, so the new line has only the new
 * check.
 */
export function narrowLine(words: string, mode: PermissionMode, check: string, by: "checks" | "else"): string {
  const [, patterns = "", checks = "", otherwise = ""] = LINE.exec(words) ?? [];
  return `${mode} ${patterns} where ${by === "else" ? check : `${checks} and ${check}`} else ${otherwise}`;
}

const LINE = /^(?:widen )?\w+ (.*?) where (.*) else (auto|consent|stepUp|forbidden)(?: because ".*")?$/s;

/** A call whose path a new line names, and the rule that decided it. */
interface NarrowedCall {
  readonly row: number;
  readonly tool: number;
  readonly arguments: string;
  readonly rule: number;
  readonly mode: PermissionMode;
  /** Whether the rule decided by its checks, or by its `else`. */
  readonly by: "checks" | "else";
}

/** Tables with one line more, and the text of this line. */
interface NarrowedTables {
  readonly tables: IndexedTables;
  readonly line: string;
  /** Place of the line: beside the rule that decided, or in the session of the call. */
  readonly stands: "beside" | "session";
}

/**
 * Returns the tables with one more line, which gives `call.mode` to calls whose path is the path of this call or below it. Returns `undefined`
 * if the tool has no argument that the tables show to be a path, or if the line would have to stand in a task.
 */
export function addNarrowedLine(tables: IndexedTables, call: NarrowedCall): NarrowedTables | undefined {
  const tool = tables.tools[call.tool];
  const name = tool && findPathParam(tables, tool, call.tool);
  const path = name === undefined ? undefined : readAskedPath(call.arguments, name);
  const row = tables.rows[call.row];
  const clause = row && findList(tables, row, call.tool)?.clauses.find(({ rule }) => rule === call.rule);
  if (tool === undefined || name === undefined || path === undefined || clause === undefined) return undefined;
  const under = makeUnder(name, path);
  return clause.conditions.length === 0
    ? addToSession(tables, call, { tool, clause, under })
    : addBeside(tables, call, under);
}

/**
 * Adds the new line beside the old line that decided. The new line applies to the same tools in the same rows as the
 * old line.
 */
function addBeside(tables: IndexedTables, { rule, mode, by }: NarrowedCall, under: Condition): NarrowedTables {
  const line = narrowLine(tables.rules[rule]?.words ?? "", mode, renderCondition(under), by);
  const added = tables.rules.length;
  const decisions = tables.decisions.map((list): Decision => {
    const old = list.clauses.find((clause) => clause.rule === rule);
    if (old === undefined) return list;
    const group = old.group === 0 ? Math.max(...list.clauses.map((clause) => clause.group)) + 1 : old.group;
    const conditions = by === "else" ? [under] : [...old.conditions, under];
    const clauses = list.clauses.map((clause) => (clause === old ? { ...clause, group } : clause));
    return { ...list, clauses: [...clauses, { conditions, met: mode, otherwise: old.otherwise, rule: added, group }] };
  });
  return { tables: { ...tables, ...addRule(tables, line), decisions }, line, stands: "beside" };
}

/**
 * Adds a line for the tool to the session. The new line overrides the line that decided: the old line has no condition, and its pattern is the
 * tool's name or a more general one.
 */
function addToSession(
  tables: IndexedTables,
  { row: at, tool: index, mode }: NarrowedCall,
  { tool, clause, under }: { readonly tool: Tool; readonly clause: Clause; readonly under: Condition },
): NarrowedTables | undefined {
  const asked = tables.rows[at];
  if (asked === undefined) return undefined;
  const { session } = asked;
  const cell = asked.cells[index];
  const old = findList(tables, asked, index);
  const own = tables.rows.find((row) => row.session === session && row.task === "" && row.worker === "");
  if (old === undefined || old.clauses.length !== 1 || own?.cells[index] !== cell) return undefined;
  const line = `${mode} ${tool.name} where ${renderCondition(under)} else ${clause.met}`;
  const narrowed: Clause = {
    ...clause,
    conditions: [under],
    met: mode,
    otherwise: clause.met,
    rule: tables.rules.length,
  };
  const decisions = [...tables.decisions, { ...old, clauses: [narrowed] }];
  const now = tables.decisions.length + FIRST_DECISION;
  const rows = tables.rows.map((row) =>
    row.session === session && row.cells[index] === cell
      ? { ...row, cells: row.cells.map((one, column) => (column === index ? now : one)) }
      : row,
  );
  return { tables: { ...tables, ...addRule(tables, line), decisions, rows }, line, stands: "session" };
}

/** Tables in which a line forbids a tool for all paths but one. */
interface LimitedTables {
  readonly tables: IndexedTables;
  readonly line: string;
  /** The rule whose line the new line replaces; `undefined` if the new line is added. */
  readonly replaced: number | undefined;
}

/**
 * Returns the tables with a line that forbids all calls of the tool except those with the path of this call. The line
 * excludes paths below this path by their length; if `findPathBound` gives no length, the line allows them too. The
 * allowed calls keep their mode. The line is in the task of the call, or in the session if there is no task. Returns
 * `undefined` if the tables do not show that an argument is a path, or if conditions on arguments already decide about
 * the tool.
 */
export function limitToAskedPath(
  tables: IndexedTables,
  call: Pick<NarrowedCall, "row" | "tool" | "arguments">,
): LimitedTables | undefined {
  const [tool, asked] = [tables.tools[call.tool], tables.rows[call.row]];
  const name = tool && findPathParam(tables, tool, call.tool);
  const path = name === undefined ? undefined : readAskedPath(call.arguments, name);
  const clauses = (asked && findList(tables, asked, call.tool)?.clauses) ?? [];
  const mode = findPlainMode(clauses);
  if (tool === undefined || asked === undefined || name === undefined || path === undefined || mode === undefined)
    return undefined;
  const bound = findPathBound(call.arguments, name, path);
  const conditions = [makeUnder(name, path), ...(bound === undefined ? [] : [makeBound(name, bound)])];
  const line = limitLine(tool.name, mode, conditions.map(renderCondition).join(" and "));
  const limit: Clause = {
    ...{ conditions, met: mode, otherwise: "forbidden" },
    ...{ rule: tables.rules.length, group: 0 },
  };
  const owner = asked.task === "" ? asked.session : `${asked.session}.${asked.task}`;
  return {
    line,
    replaced: clauses.find(({ rule }) => tables.rules[rule]?.id === `${owner}/${mode} ${tool.name}`)?.rule,
    tables: {
      ...addClause(tables, call.tool, limit, (row) => isAtSamePlace(row, asked)),
      ...addRule(tables, line),
    },
  };
}

/**
 * Returns whether a line in the task of `asked` also applies to `row`. If `asked` has no task, the line is in its
 * session.
 */
export function isAtSamePlace(row: Row, asked: Row): boolean {
  return row.session === asked.session && (asked.task === "" || row.task === asked.task);
}

/** Returns the strictest mode of clauses without conditions; `undefined` if there is no clause, or if one has conditions. */
export function findPlainMode(clauses: readonly Clause[]): PermissionMode | undefined {
  if (clauses.some(({ conditions }) => conditions.length > 0)) return undefined;
  return clauses.reduce<PermissionMode | undefined>(
    (strictest, { met }) => (strictest === undefined || isStricter(met, strictest) ? met : strictest),
    undefined,
  );
}

/**
 * Adds a clause to the decision about a tool in each of these rows. If the decision has only one clause, and this clause has no
 * condition and the same mode, the new clause replaces it.
 */
function addClause(
  tables: IndexedTables,
  tool: number,
  clause: Clause,
  isAffected: (row: Row) => boolean,
): IndexedTables {
  const decisions = [...tables.decisions];
  const added = new Map<number, number>();
  const changeCell = (cell: number): number => {
    const list = tables.decisions[cell - FIRST_DECISION];
    if (list === undefined) return cell;
    const known = added.get(cell);
    if (known !== undefined) return known;
    const kept = list.clauses.length === 1 && findPlainMode(list.clauses) === clause.met ? [] : list.clauses;
    const now = decisions.push({ ...list, clauses: [...kept, clause] }) - 1 + FIRST_DECISION;
    added.set(cell, now);
    return now;
  };
  const rows = tables.rows.map((row) =>
    isAffected(row) ? { ...row, cells: row.cells.map((cell, at) => (at === tool ? changeCell(cell) : cell)) } : row,
  );
  return { ...tables, decisions, rows };
}

function addRule({ rules }: IndexedTables, words: string): Pick<IndexedTables, "rules"> {
  return { rules: [...rules, { id: `added/${words}`, words, place: "" }] };
}

/**
 * Returns the name of the argument that is a path. The tables do not say which argument is a path. So the function
 * finds a path only in a tool of the interface `Files`, or if some condition compares an argument with a folder.
 */
function findPathParam(tables: IndexedTables, { interfaceId, params }: Tool, tool: number): string | undefined {
  if (interfaceId === Files.id) return params.find(({ name }) => name === "path")?.name;
  for (const row of tables.rows) {
    const found = findList(tables, row, tool)
      ?.clauses.flatMap(({ conditions }) => conditions)
      .find(isAboutFolder);
    if (found !== undefined) return found.path[0];
  }
  return undefined;
}

function isAboutFolder({ operator, term, path, each, extract }: Condition): boolean {
  return operator === "under" && term === "value" && path.length === 1 && each === "single" && extract === "none";
}

function makeBound(name: string, bytes: number): Condition {
  const literals = [{ which: "decimal", decimal: `${bytes}` }] as const;
  return { ...makeUnder(name, ""), term: "size", operator: "lessOrEqual", literals };
}

function makeUnder(name: string, path: string): Condition {
  return {
    path: [name],
    term: "value",
    operator: "under",
    literals: [{ which: "text", text: path }],
    each: "single",
    extract: "none",
    absentHolds: false,
    sources: [],
  };
}
