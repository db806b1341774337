// Suggests the narrowest lines that allow approved calls without a prompt. Each line is found by trial: the page with
// the line is compiled with every law, and the same calls are decided again. The policy tables of this page show which
// calls the line allows beyond the approved ones. A suggestion never allows a call that a person denied.

import {
  canonicalizeArguments,
  FIRST_DECISION,
  type IndexedTables,
  isMet,
  isRaising,
  isStricter,
  type JsonRecord,
} from "../../../engine/lib/policy/index.ts";
import { decideAtGate } from "../../../engine/lib/reach/decide-at-gate.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { isError } from "../../../lang/diagnostics/index.ts";
import { type Compiled, type CompileOptions, compile } from "../../compile.ts";
import type { Model } from "../../phases/bind/index.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import type { Host } from "../../phases/source/index.ts";
import type { CellChange } from "../diff/index.ts";
import type { RecordPlace } from "../replay/index.ts";
import { type Edit, overlayEdits } from "../why/index.ts";
import { type Candidate, proposeChanges } from "./changes.ts";
import { findNarrowest, type Way } from "./narrowest-condition.ts";
import type { ObservedCall, ObservedTool, RefusedElsewhereCall } from "./observed-calls.ts";
import { findOpened } from "./opened-cells.ts";

export interface Suggestion {
  readonly session: string;
  readonly tool: string;
  /** The suggested line in the notation of a page. */
  readonly line: string;
  /** Edits to the page in which all earlier suggestions are applied. */
  readonly edits: readonly Edit[];
  /** Records of the calls for which the line is needed. */
  readonly records: readonly RecordPlace[];
  /** All cells in which the line allows more, with example calls. */
  readonly opens: readonly CellChange[];
  /** Arguments that the line does not restrict. */
  readonly free: readonly string[];
}

/** Approved calls for which no line is suggested. */
export interface UnsuggestedCalls {
  readonly session: string;
  readonly tool: string;
  readonly because: string;
  readonly records: readonly RecordPlace[];
}

export interface SuggestionResult {
  readonly suggestions: readonly Suggestion[];
  readonly left: readonly UnsuggestedCalls[];
  /** The page with all suggestions. */
  readonly page: SuggestedPage;
}

/** A page and its files, including the changes made so far. */
export interface SuggestedPage {
  readonly host: Host;
  readonly path: string;
  readonly options: CompileOptions;
  readonly tables: IndexedTables;
  readonly model: Model;
}

/** Maximum number of tools to examine. Each tool needs a few compilations. */
const MOST_TOOLS = 200;

/** Suggests lines for the observed calls. `least` is the minimum number of approved calls that a line must cover. */
export async function suggest(
  page: SuggestedPage,
  observed: readonly ObservedTool[],
  { way, least }: { readonly way: Way; readonly least: number },
): Promise<SuggestionResult> {
  const suggestions: Suggestion[] = [];
  const left: UnsuggestedCalls[] = [];
  let now = page;
  for (const [index, one] of observed.entries()) {
    const found =
      index < MOST_TOOLS
        ? await suggestOne(now, one, way, least)
        : rejectTool(one, "more tools were observed than are looked at");
    left.push(...found.left);
    if (found.suggestion === undefined || found.page === undefined) continue;
    suggestions.push(found.suggestion);
    now = found.page;
  }
  return { suggestions, left, page: now };
}

interface Found {
  readonly suggestion?: Suggestion;
  readonly page?: SuggestedPage;
  readonly left: readonly UnsuggestedCalls[];
}

function rejectTool({ session, tool }: ObservedTool, because: string, calls?: readonly ObservedCall[]): Found {
  const records = collectRecords(calls ?? []);
  return { left: [{ session, tool, because, records }] };
}

function subtractCalls(calls: readonly ObservedCall[], some: readonly ObservedCall[]): readonly ObservedCall[] {
  const left = new Set(some);
  return calls.filter((observed) => !left.has(observed));
}

/** Returns the records of calls in the order in which they were read. */
function collectRecords(calls: readonly ObservedCall[]): readonly RecordPlace[] {
  const records = calls.flatMap(({ at }) => at);
  return records.sort((one, other) => one.log - other.log || (one.sequence < other.sequence ? -1 : 1));
}

interface Call {
  readonly observed: ObservedCall;
  readonly record: JsonRecord;
}

async function suggestOne(page: SuggestedPage, one: ObservedTool, way: Way, least: number): Promise<Found> {
  const { withheld } = one;
  const unread =
    withheld.length === 0 ? [] : [{ session: one.session, tool: one.tool, because: WITHHELD, records: withheld }];
  const found = await suggestForRead(page, one, way, least);
  return { ...found, left: [...unread, ...found.left] };
}

const WITHHELD = "their arguments are withheld: the log has only digests";

/** Suggests a line for the calls whose arguments are in the log. */
async function suggestForRead(page: SuggestedPage, one: ObservedTool, way: Way, least: number): Promise<Found> {
  const { approved, refused: denied } = one;
  if (approved.length === 0) return { left: [] };
  if (denied.some((call) => call.isWithheld))
    return rejectTool(one, "a call was refused whose arguments are withheld", approved);
  if (denied.some((call) => call.arguments === undefined))
    return rejectTool(one, "a call was refused of which only a part is on record", approved);
  const said = new Set(denied.map((call) => call.arguments));
  const calls = approved.flatMap((observed): readonly Call[] => {
    const read = canonicalizeArguments(observed.arguments ?? "");
    return read.ok && !said.has(observed.arguments) ? [{ observed, record: read.value.value }] : [];
  });
  const unsure = subtractCalls(
    approved,
    calls.map(({ observed }) => observed),
  );
  const left = unsure.length === 0 ? [] : rejectTool(one, "the same call was refused as well", unsure).left;
  if (calls.length === 0) return { left };
  const found = await findLine(page, one, { calls, way, least });
  return { ...found, left: [...left, ...found.left] };
}

/** The calls that a line should allow, how narrow the line should be, and how many approvals it needs. */
interface LineWanted {
  readonly calls: readonly Call[];
  readonly way: Way;
  readonly least: number;
}

async function findLine(page: SuggestedPage, one: ObservedTool, { calls, way, least }: LineWanted): Promise<Found> {
  const session = page.model.sessions.find(({ id }) => id === one.session);
  const tool = page.model.tools.find(({ name }) => name === one.tool);
  const all = calls.map(({ observed }) => observed);
  if (session === undefined || tool === undefined) return rejectTool(one, "the page has no such session or tool", all);
  const narrowest = findNarrowest(
    tool,
    calls.map(({ record }) => record),
    way,
  );
  const covered = narrowest.covered.flatMap((index) => calls[index]?.observed ?? []);
  const others = subtractCalls(all, covered);
  const left = others.length === 0 ? [] : rejectTool(one, "one line cannot say this beside the others", others).left;
  const count = covered.reduce((sum, { at }) => sum + at.length, 0);
  if (count < least)
    return rejectTool(
      one,
      `${count} such ${count === 1 ? "call was" : "calls were"} approved, and ${least} are asked for`,
      all,
    );
  const rows = [...new Set(covered.flatMap(({ standing }) => standing.rows))];
  const { tables, model } = page;
  if (covered.some((call) => isFloored(tables, one.tool, call))) return rejectTool(one, FLOORED, all);
  const reasons: string[] = [];
  for (const candidate of proposeChanges({ tables, model, session, tool, rows, checks: narrowest.checks })) {
    const tried = await tryChange(page, one, candidate, covered);
    if (!tried.ok) reasons.push(tried.reason);
    else {
      const records = collectRecords(covered);
      const { line, edits } = candidate;
      const suggestion = {
        session: one.session,
        tool: one.tool,
        line,
        edits,
        records,
        opens: tried.value.opens,
        free: narrowest.free,
      };
      return { suggestion, page: tried.value.page, left };
    }
  }
  // All candidates failed. They are several forms of the same line, so only the reason against the first form is
  // shown.
  const because = `no line does it: ${reasons[0] ?? "no line of the page asks"}`;
  return { left: [...left, ...rejectTool(one, because, covered).left] };
}

const FLOORED = "a `when` of the page asks, which no line loosens";

/**
 * Returns whether a floor may affect the call in one of its possible conversations. If the arguments of the call are
 * not in the log, every floor may affect the call.
 */
function isFloored(tables: IndexedTables, tool: string, { standing, arguments: text }: ObservedCall): boolean {
  const { rows, least, most } = standing;
  const args = text === undefined ? undefined : canonicalizeArguments(text);
  return rows.some((row) => {
    const cell = tables.rows[row]?.cells[tables.toolIndex.get(tool) ?? -1] ?? 0;
    const floors = tables.decisions[cell - FIRST_DECISION]?.floors ?? [];
    return floors.some((floor) =>
      [least, most].some((label) => {
        const seen = { label, unattended: false };
        return args?.ok ? isRaising(floor, args.value.value, seen) : isMet(floor, seen);
      }),
    );
  });
}

interface Tried {
  readonly page: SuggestedPage;
  readonly opens: readonly CellChange[];
}

/** Returns the page with the change, or fails with the reason not to suggest it. */
async function tryChange(
  page: SuggestedPage,
  one: ObservedTool,
  { edits }: Candidate,
  covered: readonly ObservedCall[],
): Promise<Result<Tried>> {
  const host = await overlayEdits(page, edits);
  const made = await compile(host, page.path, { ...page.options, advice: "left" });
  const error = made.diagnostics.find(isError);
  if (error !== undefined) return refuse(error.message);
  const after = makePage(page, host, made);
  if (after === undefined) return refuse("the page does not compile with it");
  const { harm, cells } = findOpened(page.tables, after.tables, one.tool);
  if (harm !== undefined) return refuse(harm);
  if (!covered.every((call) => isAnswered(after.tables, one.tool, call, "auto")))
    return refuse("a release or another line still asks");
  if (one.refused.some((call) => isLoosened(page.tables, after.tables, one.tool, call)))
    return refuse("it would let go what a person refused");
  const elsewhere = one.refusedElsewhere.find((call) =>
    isOpened(page.tables, after.tables, { tool: one.tool, call, cells }),
  );
  if (elsewhere !== undefined) return refuse(`it would let go what a person refused in session ${elsewhere.session}`);
  return accept({ page: after, opens: cells });
}

function makePage(page: SuggestedPage, host: Host, { policy, model }: Compiled): SuggestedPage | undefined {
  return policy === undefined || model === undefined
    ? undefined
    : { ...page, host, model, tables: indexPolicyTables(policy) };
}

/** Returns whether a call gets the answer `wanted` in all of its possible conversations. */
function isAnswered(tables: IndexedTables, tool: string, call: ObservedCall, wanted: "auto"): boolean {
  return collectAnswers(tables, tool, call).every((answer) => answer === wanted);
}

function isLoosened(before: IndexedTables, after: IndexedTables, tool: string, call: ObservedCall): boolean {
  const [was, is] = [collectAnswers(before, tool, call), collectAnswers(after, tool, call)];
  return is.some((answer, index) => isStricter(was[index] ?? "forbidden", answer));
}

/** A call that a person denied in another session, and the cells that a line changes. */
interface RefusedCall {
  readonly tool: string;
  readonly call: RefusedElsewhereCall;
  readonly cells: readonly CellChange[];
}

/**
 * Returns whether a change loosens the decision about a denied call. If the log has only a part of the call, returns
 * true if the change loosens any cell of the call's session.
 */
function isOpened(before: IndexedTables, after: IndexedTables, { tool, call, cells }: RefusedCall): boolean {
  if (call.arguments !== undefined) return isLoosened(before, after, tool, call);
  return cells.some(({ at }) => at.some(({ place }) => place.session === call.session));
}

/**
 * Returns the answers of the tables to a call. If the place of the call no longer exists, returns the answers in every
 * place of the page.
 */
function collectAnswers(tables: IndexedTables, tool: string, { standing, arguments: args = "" }: ObservedCall) {
  const rows = standing.rows.length > 0 ? standing.rows : [...tables.rows.keys()];
  return rows.flatMap((row) =>
    [standing.least, standing.most].map((label) => {
      const spent = tables.rows[row]?.quotas.map(() => 0n) ?? [];
      const decision = decideAtGate(tables, { row, label, unattended: false, spent }, { tool, arguments: args });
      return decision.kind === "gated" ? decision.gate : "forbidden";
    }),
  );
}
