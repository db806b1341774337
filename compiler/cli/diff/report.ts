// Builds the report of a difference (diff-report.ts) with names, lines of the newer page, and reasons.

import { formatLabel, type IndexedTables, renderSource, renderTaskCommand } from "../../../engine/lib/policy/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import { canBeStrong } from "../../phases/conditions/index.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import { isStandard } from "../../phases/source/index.ts";
import {
  type CellChange,
  type DecisionChange,
  type Difference,
  type Direction,
  extractReason,
  type FactChange,
  hasBothMachines,
  isLikely,
  type LabelEdit,
  type LabelEffect,
  type Owner,
} from "../../queries/diff/index.ts";
import { compareClauses } from "./compare-clauses.ts";
import { describeFlow } from "./describe-flow.ts";
import type { CallReport, ChangeReport, DiffReport, LineReport, SideName } from "./diff-report.ts";
import { locateChange } from "./locate.ts";
import { findReasonOfFact, isBroughtByWiden } from "./reasons.ts";
import type { Comparison } from "./renames.ts";
import type { NamedSide } from "./side.ts";
import { listNamed } from "./text.ts";

const GONE = "not there";

const ORDER: readonly Direction[] = ["widened", "moved", "narrowed"];

/**
 * Creates the report. `reviewed` is the reviewer's reason. This reason applies to changes for which no line of a page
 * can state a reason.
 */
export function reportOf(compared: Comparison, reviewed: string | undefined): DiffReport {
  const report = describeComparison(compared, reviewed);
  const ifNew = listOpenIfNew(compared, report, reviewed);
  if (ifNew.length === 0 || reviewed === undefined) return { ...report, ifNew };
  const unsaid = `if it is new, ${ifNew.length === 1 ? "another widening has" : `${ifNew.length} other widenings have`} no reason`;
  const changes = report.changes.map((change) => (isLikely(change) ? { ...change, because: [], unsaid } : change));
  return { ...report, changes, ifNew };
}

/**
 * Stands in for the reviewer's reason in `listOpenIfNew` if there is none. A widening that still has no reason needs
 * one on a line of the page.
 */
const ASSUMED = "assumed";

/**
 * Returns the widenings that would have no reason on a line of the page if a probably renamed thing counted as new.
 * Lines that changed only by the rename are older than the change, so they need no reason.
 */
function listOpenIfNew(
  { unaligned, before }: Comparison,
  report: DiffReport,
  reviewed: string | undefined,
): readonly ChangeReport[] {
  if (unaligned === undefined) return [];
  const known = new Set(findUnreasoned(report).map((change) => change.unsaid));
  const said = new Set(before.tables.rules.map(({ words }) => words));
  const isRule = new Set(unaligned.after.tables.rules.map(({ words }) => words));
  return findUnreasoned(describeComparison(unaligned, reviewed ?? ASSUMED)).filter(({ unsaid, lines }) => {
    const rules = lines.filter(({ words }) => isRule.has(words));
    return !known.has(unsaid) && !(rules.length > 0 && rules.every(({ words }) => said.has(words)));
  });
}

function describeComparison({ before, after, difference }: Comparison, reviewed: string | undefined): DiffReport {
  const { cells, facts, stated, flows, labels } = difference;
  const direct = [
    ...labels.map((edit) => describeLabelEdit(edit, facts, { before, after, reviewed })),
    ...omitLabelFacts(facts, labels).map((change) => describeFact(change, { before, after, reviewed })),
    ...cells.flatMap((change) => describeCells(change, { before, after, reviewed })),
  ];
  const changes = [...direct, ...stated.map((change) => describeFact(change, { before, after, reviewed }))];
  const flowing = flows.map((change) => describeFlow(change, { before, after, changes: direct, reviewed }));
  const alike = cells
    .filter(({ direction }) => direction === "alike")
    .flatMap(({ at }) => at.flatMap((one) => one.tools));
  return {
    before: describeSide(before),
    after: describeSide(after),
    changes: ORDER.flatMap((wanted) => placeFlows(wanted, changes, flowing)),
    alike: alike.length,
    cells,
    notCompared: listNotCompared(before, after, difference),
    uncompared: reviewed === undefined ? explainUnseen(before, after, difference) : undefined,
    ifNew: [],
  };
}

/**
 * Returns the changes whose direction is `wanted`, such as `widened`. A flow is placed after the change that causes it,
 * or at the end if that change is not listed.
 */
function placeFlows(
  wanted: Direction,
  changes: readonly ChangeReport[],
  flows: readonly ReturnType<typeof describeFlow>[],
): readonly ChangeReport[] {
  const some = changes.filter(({ direction }) => direction === wanted);
  const own = flows.filter(({ report }) => report.direction === wanted);
  const placed = some.flatMap((change) => [
    change,
    ...own.flatMap(({ cause, report }) => (cause === change ? [report] : [])),
  ]);
  return [...placed, ...own.flatMap(({ report }) => (placed.includes(report) ? [] : [report]))];
}

/**
 * Lists the properties that were not compared, because a reviewer must know what the result "nothing changed" does not
 * cover.
 */
function listNotCompared(before: NamedSide, after: NamedSide, { flowsSkipped }: Difference): readonly string[] {
  const tables = [before, after].filter(({ machine }) => machine === undefined).map(({ name }) => name);
  return [
    ...(tables.length === 0 ? [] : [`${MACHINE}: tables alone do not hold it, and ${tables.join(" and ")} is no page`]),
    ...(flowsSkipped === undefined ? [] : [`which flows follow of it: ${flowsSkipped}`]),
    "what is in weights, and in sealed credentials",
  ];
}

const MACHINE =
  "grants and scopes of services, addresses and models of backends, network, collector, storage, image; assertions, waivers, tests, reasons";

function explainUnseen(before: NamedSide, after: NamedSide, { flowsSkipped }: Difference): string | undefined {
  if (!hasBothMachines(before, after)) return "what the machine is was not compared: compare two pages";
  return flowsSkipped === undefined ? undefined : `flows were not compared, for ${flowsSkipped}`;
}

function describeSide({ name, tables, digest, meaning }: NamedSide): SideName {
  const { systemId: system, version } = tables;
  return { name, system, version, tables: digest, meaning };
}

function describeCells(change: CellChange, { before: older, after, reviewed }: Reviewed): readonly ChangeReport[] {
  const { direction, widens, narrows, written, rules, at } = change;
  if (direction === "alike") return [];
  const tool = at[0]?.tools[0] ?? "";
  const lines = rules.flatMap((rule) => findRuleLines(rule, after));
  // A reviewer cannot add reasons to lines of the standard library, because they do not belong to this page.
  const foreign = lines.every(({ place }) => isStandard(place));
  // An `only` or a `suppress` that hides a tool is not a rule, so its line is searched for separately.
  const places = at.map(({ place }) => formatRowPath(place));
  const isHidden = written.before === undefined || written.after === undefined;
  const hiding = isHidden ? locateChange({ what: "", before: "", after: "", places }, older, after) : [];
  const isReviewed = change.because.length === 0 && (foreign || change.isSaidAgain) && reviewed !== undefined;
  const because = isReviewed ? [reviewed] : change.because;
  return [
    {
      direction,
      widens: widens.length > 0,
      at: at.map(({ place, tools }) => ({ place: formatRowPath(place), tools })),
      what: "",
      before: written.before?.text ?? GONE,
      after: written.after?.text ?? GONE,
      clauses: compareClauses(written.before, written.after),
      parts: [],
      details: [],
      notes: change.onlyUnknownWidens ? explainUnknown(change) : [],
      witnesses: [...widens, ...narrows].map((shown) => describeCall(shown, tool, change, after.tables)),
      ways: [],
      lines: [...hiding, ...lines],
      because: widens.length === 0 ? [] : because,
      ...(widens.length > 0 && because.length === 0
        ? { unsaid: explainMissingReason(lines, { foreign, isSaidAgain: change.isSaidAgain }) }
        : {}),
      owner: at[0] && { kind: "session", name: at[0].place.session },
    },
  ];
}

/**
 * Explains a change that loosens only calls whose value has an unknown origin. If all new sources are weak, states this
 * as the reason why no other call becomes looser.
 */
function explainUnknown({ newSources, narrows }: CellChange): readonly string[] {
  const isWeak = newSources.length > 0 && newSources.every((one) => one.which === "field" && !canBeStrong(one));
  const named = newSources.map(renderSource).join(", ");
  const sources = newSources.length === 1 ? `${named} is a weak source` : `${named} are weak sources`;
  const lost = "because the gate lost texts of the conversation (lang/spec/from.md, Unknown)";
  const [only, others] =
    narrows.length === 0
      ? ["only calls whose value has an unknown origin change", "other calls are decided as before"]
      : ["only calls whose value has an unknown origin become looser", "no other call becomes looser"];
  return [
    `${only}, ${lost}`,
    isWeak ? `${others}: ${sources}, and a weak source alone never lowers a gate to auto` : others,
  ];
}

const BY_REVIEWER = "`--because TEXT`";

/**
 * `foreign`: whether all deciding lines are in the standard library. `isSaidAgain`: whether all deciding lines existed
 * before the change.
 */
interface Decided {
  readonly foreign: boolean;
  readonly isSaidAgain: boolean;
}

/**
 * Returns a message that names the lines that have no reason, or only a reason from before the change. If no line can
 * state a reason, the message says so.
 */
function explainMissingReason(lines: readonly LineReport[], { foreign, isSaidAgain }: Decided): string {
  if (foreign && lines.length > 0) {
    const named = [...new Set(lines.map(({ place }) => place))].join(", ");
    return `the standard library alone decides it (${named}), and says no reason for a page: ${BY_REVIEWER}`;
  }
  if (isSaidAgain)
    return `a removed line or a loosened floor decides it, and neither can state a reason: ${BY_REVIEWER}`;
  const silent = lines.filter(({ words, place }) => !isStandard(place) && extractReason(words) === undefined);
  const own = lines.filter(({ place }) => !isStandard(place));
  return silent.length > 0
    ? `${silent.map(({ place }) => place).join(", ")}: give the reason at the end of the rule, \`because "…"\``
    : explainOldReason(own);
}

function explainOldReason(lines: readonly LineReport[]): string {
  const places = lines.map(({ place }) => place).join(", ");
  return `${places}: the reason is older than this change; give a new one, \`because "…"\``;
}

function describeCall(
  shown: DecisionChange,
  tool: string,
  { before, after, at }: CellChange,
  tables: IndexedTables,
): CallReport {
  const { situation } = shown;
  const { lattice } = tables;
  return {
    tool,
    arguments: shown.arguments,
    assumptions: describeAssumptions(shown, at[0]?.place, tables),
    label: situation && formatLabel(lattice, situation.label),
    unattended: situation?.unattended === true,
    earlier: undefined,
    before: before === undefined ? GONE : shown.before,
    after: after === undefined ? GONE : shown.after,
    likewise: [],
  };
}

/**
 * Returns one line for each value that occurred in the conversation, with its sources, and one that says how the task
 * was begun.
 */
function describeAssumptions(
  { heard = [], chosen }: DecisionChange,
  place: CellChange["at"][number]["place"] | undefined,
  { rows }: IndexedTables,
): readonly string[] {
  const row = rows.find(({ session, task }) => session === place?.session && task === place.task);
  const begun =
    chosen && `the task was begun by ${renderTaskCommand(place?.task ?? "", row?.parameters ?? [], chosen)}`;
  return [...describeHeard(heard), ...(begun === undefined ? [] : [begun])];
}

function describeHeard(heard: NonNullable<DecisionChange["heard"]>): readonly string[] {
  const sources = heard.map(({ value, sources: named, standing }) =>
    SOURCED[standing](JSON.stringify(value), `from ${named.map(renderSource).join(" or ")}`),
  );
  return [...new Set(sources)];
}

type Standing = NonNullable<DecisionChange["heard"]>[number]["standing"];

const SOURCED: Readonly<Record<Standing, (value: string, from: string) => string>> = {
  strong: (value, from) => `${value} comes ${from}`,
  weak: (value, from) => `${value} comes ${from}`,
  none: (value, from) => `${value} does not come ${from}`,
  unknown: (value, from) => `it is unknown whether ${value} comes ${from}`,
};

function findRuleLines(rule: number, { tables, page }: NamedSide): LineReport[] {
  const said = tables.rules[rule];
  if (said === undefined) return [];
  const origin = page?.origins.rules[rule];
  const span = origin && page?.view.span(origin);
  return [{ words: said.words, place: span === undefined ? said.place : placeOf(span), span }];
}

/** Aspects of a label. If a label was edited, the report shows these aspects together as one change. */
const OF_LABELS: ReadonlySet<string> = new Set(["label", "result from", "result up to", "arguments flow to"]);

/** Returns the changed facts without those about labels that `edits` already report. */
function omitLabelFacts(facts: readonly FactChange[], edits: readonly LabelEdit[]): readonly FactChange[] {
  const told = new Set(
    edits.flatMap(({ service, tools }) => [`service ${service}`, ...tools.map((name) => `tool ${name}`)]),
  );
  return facts.flatMap((change) => {
    if (!OF_LABELS.has(change.what)) return [change];
    const places = change.places.filter((place) => !told.has(place));
    return places.length === 0 ? [] : [{ ...change, places }];
  });
}

/**
 * Describes an edit of labels as one change. Each edited aspect of a label has its own direction. The edit counts as
 * widened if one aspect is widened, or if a call that contains values of an earlier result is decided more loosely.
 */
function describeLabelEdit(
  { service, tools, parts, effects, rules }: LabelEdit,
  facts: readonly FactChange[],
  { before, after, reviewed }: Reviewed,
): ChangeReport {
  // An edit after which less text in results is trusted is a narrowing. But a rule that forbids calls with trusted text
  // then forbids fewer calls, so the edit counts as a widening.
  const isLooser = effects.some(({ given, direction: moved }) => given.length > 0 && moved === "widened");
  const directions = new Set([...parts.map(({ direction }) => direction), ...(isLooser ? ["widened" as const] : [])]);
  const [only] = directions;
  const direction = directions.has("widened")
    ? "widened"
    : directions.size === 1 && only !== undefined
      ? only
      : "moved";
  const widens = direction === "widened";
  const told = facts.find(({ what, places }) => what === "label" && places.includes(`service ${service}`));
  const owner: Owner = { kind: "service", name: service };
  const place =
    told === undefined
      ? tools.map((name) => ({ place: `tool ${name}`, tools: [] }))
      : [{ place: `service ${service}`, tools: [] }];
  const isShared = new Set(parts.map((part) => part.tools.join())).size === 1;
  const places = place.map((one) => one.place);
  const stated = locateChange({ what: "label", before: "", after: "", places }, before, after);
  const lines = rules.flatMap(({ rule, kind }) =>
    findRuleLines(rule, after).map((line) => ({
      ...line,
      applies: kind === "armed" ? ("more" as const) : ("less" as const),
    })),
  );
  return {
    direction,
    widens,
    ...(widens && reviewed === undefined ? { unsaid: `no line can say why: ${BY_REVIEWER}` } : {}),
    at: place,
    what: told === undefined ? "labels" : "label",
    before: told?.before ?? "",
    after: told?.after ?? "",
    clauses: [],
    parts: parts.map((part) => ({ ...part, tools: isShared ? [] : part.tools })),
    details: [],
    notes: [],
    witnesses: describeLabelEffects(effects),
    ways: [],
    lines: [...stated, ...lines],
    because: widens && reviewed !== undefined ? [reviewed] : [],
    owner,
  };
}

/**
 * Describes the calls that are decided differently after an edit of labels, each with one example. Sessions and tasks
 * with the same example call share one entry.
 */
function describeLabelEffects(effects: readonly LabelEffect[]): readonly CallReport[] {
  const groups = Map.groupBy(effects, ({ place: _, ...effect }) => JSON.stringify(effect));
  return [...groups.values()].flatMap((group): readonly CallReport[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { read, given, shown, isNewTool, others } = first;
    const values =
      given.length === 0 ? undefined : `gives ${given.map((value) => JSON.stringify(value)).join(" and ")}`;
    const call = [read?.tool, read?.arguments, values].filter((text) => text !== undefined).join(" ");
    const places = listNamed(group.map(({ place }) => place));
    return [
      {
        tool: shown.tool,
        arguments: shown.arguments ?? "",
        assumptions: [
          ...describeHeard([...(read?.heard ?? []), ...shown.heard]),
          ...(isNewTool ? [`the old page also allowed ${shown.tool}`] : []),
        ],
        label: undefined,
        unattended: false,
        earlier: call === "" ? `${places}:` : `${places}: ${call}`,
        before: shown.before,
        after: shown.after,
        likewise: others,
      },
    ];
  });
}

interface Reviewed {
  readonly before: NamedSide;
  readonly after: NamedSide;
  readonly reviewed: string | undefined;
}

function describeFact(change: FactChange, { before: older, after, reviewed }: Reviewed): ChangeReport {
  const { direction, widens, what, before, after: now, rule, places, owner } = change;
  const line = rule === undefined ? undefined : extractReason(after.tables.rules[rule]?.words ?? "");
  // The reason on a line counts for a changed property only if the older side lacks this reason. The same holds for
  // a changed decision.
  const isOld = before !== undefined && line !== undefined && hasReason(older, line);
  const declared = change.owners.map((one) => findReasonOfFact({ ...change, owner: one }, older, after) ?? reviewed);
  const reasons = line !== undefined ? [isOld ? undefined : line] : declared.length > 0 ? declared : [reviewed];
  const given = reasons.filter((reason) => reason !== undefined);
  const isReasoned = given.length === reasons.length;
  const lines =
    rule === undefined
      ? locateChange({ what, before: before ?? "", after: now ?? "", places }, older, after)
      : findRuleLines(rule, after);
  const widening = isBroughtByWiden(change, after) ? "bring it by a `widen` with a reason, or " : "";
  return {
    direction,
    widens,
    ...(widens && !isReasoned
      ? { unsaid: isOld ? explainOldReason(lines) : `no line can say why: ${widening}${BY_REVIEWER}` }
      : {}),
    at: places.map((place) => ({ place, tools: [] })),
    what,
    before: before ?? "none",
    after: now ?? "none",
    clauses: [],
    parts: [],
    details: change.details,
    notes: change.notes ?? [],
    witnesses: [],
    ways: [],
    lines,
    because: widens && isReasoned ? [...new Set(given)] : [],
    owner,
  };
}

function hasReason({ tables }: NamedSide, reason: string): boolean {
  return tables.rules.some(({ words }) => extractReason(words) === reason);
}

/** Returns the widenings, certain or possible, that have no reason. */
export function findUnreasoned({ changes }: DiffReport): readonly ChangeReport[] {
  return changes.filter(({ widens, because }) => widens && because.length === 0);
}
