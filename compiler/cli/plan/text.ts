// Prints a plan as one screen of 80 columns: contents, authority, memory, and last what changes, which a person reads first. Text from
// pages and artefacts is untrusted: each line is escaped before it is coloured.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { formatTable } from "../../artefacts/inspect/description.ts";
import { isRename } from "../../queries/diff/index.ts";
import type { Paint } from "../colour.ts";
import type { ChangeReport, SideName } from "../diff/diff-report.ts";
import { callText, countLine, renderRename, renderWhere } from "../diff/text.ts";
import type { ImageContents, MemoryPlan, PlanReport, SessionAuthority, ToolsByGate } from "./plan-report.ts";
import { CONDITIONAL, GATES } from "./sessions.ts";

const WIDTH = 80;
/** Most rows of one list; `--json` has all of them. */
const MOST_ROWS = 12;
const MOST_CHANGES = 20;
/** Most names in one list. */
const MOST_NAMES = 16;
/** Most lines of the page that are shown for one change. */
const MOST_LINES = 3;
/** Characters of two decisions together that are shown as the tables have them. */
const LONGEST_DECISIONS = 140;
const SHOWN_DIGITS = 16;

/** One line of the screen, and how it is coloured. */
interface Line {
  readonly text: string;
  readonly colour?: keyof Paint;
}

interface PlanStyle {
  readonly paint: Paint;
  /** Command that lists all changes; it is named if some are left out. */
  readonly command: string;
  /** Folder of the last build. */
  readonly folder: string;
}

/** Returns the lines of the screen. */
export function renderPlan(report: PlanReport, style: PlanStyle): readonly string[] {
  const { paint } = style;
  const { image, memory, page, sessions, system, version } = report;
  const lines: readonly Line[] = [
    { text: `${system} ${version} (${page})`, colour: "strong" },
    ...makeSection("In the image", [...renderContents(image, report.target), renderProofs(report.proofs)]),
    ...makeSection("Who may do what", renderSessions(sessions)),
    ...(memory === null ? [] : makeSection("Memory, as it is usually used", renderMemory(memory))),
    ...renderChanges(report, style),
    { text: "" },
    { text: `SHA-256 of the policy tables ${shortenDigest(report.tables)}, which the audit quotes`, colour: "quiet" },
    {
      text: `SHA-256 of their meaning     ${shortenDigest(report.meaning)}, without comments and order`,
      colour: "quiet",
    },
  ];
  return lines.map(({ text, colour }) => {
    const safe = escapeInvisible(text.trimEnd());
    return `${colour === undefined ? safe : paint[colour](safe)}\n`;
  });
}

function shortenDigest(digest: string): string {
  return digest.slice(0, SHOWN_DIGITS);
}

function makeSection(title: string, rows: readonly string[]): readonly Line[] {
  return [{ text: "" }, { text: title, colour: "strong" }, ...rows.map((row) => ({ text: `  ${row}` }))];
}

/** Columns of the names at the left, and where the text begins behind them. */
const NAME_WIDTH = 12;

function renderContents({ processes, services, backends, disk, network }: ImageContents, target: string): string[] {
  const roles = [...Map.groupBy(processes, ({ role }) => role)].map(([role, of]) => countNamed(of.length, role));
  const ofServices = services.map(({ name, interface: face, label, program, stateBytes, reaches }) => [
    name,
    face,
    label,
    joinFacts([
      stateBytes === 0 ? "" : `${formatBytes(stateBytes)} on the disk`,
      program === null ? "" : `program ${formatBytes(program.bytes)}`,
      reaches.length === 0 ? "" : `reaches ${listShort(reaches)}`,
    ]),
  ]);
  const ofBackends = backends.map(({ name, kind, clearance, model, bytes, reaches }) => [
    name,
    kind,
    `hears ${clearance}`,
    joinFacts([
      model === null ? "" : `${model}${bytes === 0 ? "" : `, ${formatBytes(bytes)}`}`,
      reaches.length === 0 ? "" : `at ${listShort(reaches)}`,
    ]),
  ]);
  const onDisk = disk === null || disk.bytes === 0 ? "" : `, at most ${formatBytes(disk.bytes)} of services`;
  return [
    ...(target === "linux" ? [] : renderNamed("kernel", target)),
    ...renderNamed("processes", `${processes.length}: ${roles.join(", ")}`),
    ...renderTable("services", ofServices),
    ...renderTable("models", ofBackends),
    ...renderNamed(
      "data disk",
      disk === null ? "none" : `${disk.name}, ${disk.encrypted ? "encrypted" : "not encrypted"}${onDisk}`,
    ),
    ...renderNamed("network", network ?? "none"),
  ];
}

function renderProofs({ assertions, unproved }: PlanReport["proofs"]): string {
  const [name = ""] = renderNamed("proofs", "");
  if (unproved === 0) return `${name}${assertions} assertions hold`;
  return `${name}${unproved} of ${assertions} assertions do not hold: capc build refuses them`;
}

function renderSessions(sessions: readonly SessionAuthority[]): string[] {
  const rows = sessions.slice(0, MOST_ROWS).flatMap(renderSession);
  const isMarked = rows.some((row) => row.includes(CONDITIONAL));
  return [
    ...rows,
    ...(sessions.length > MOST_ROWS ? [`and ${sessions.length - MOST_ROWS} more sessions: --json has them`] : []),
    ...(isMarked ? [`${CONDITIONAL} the arguments, the conversation or the phase decide: capc why`] : []),
  ].map((row) => row.replaceAll(MARKED_ALL, `.${CONDITIONAL}`));
}

/** Stands for the star of `notes.*`, which is not that of a condition. */
const MARKED_ALL = ".\u0000";

function renderSession({
  name,
  kind,
  boots,
  principals,
  login,
  backends,
  quotas,
  ...rest
}: SessionAuthority): string[] {
  const models = backends.map((one) => (one.mode === "auto" ? one.name : `${one.name} (${one.mode})`));
  const facts = joinFacts([
    boots ? `kind ${kind}, boots` : `kind ${kind}`,
    principals.length === 0 ? "" : `principals ${listShort(principals)}`,
    login === "none" ? "" : `login ${login}`,
    models.length === 0 ? "no model" : `models ${listShort(models)}`,
    quotas.length === 0 ? "" : `quota ${listShort(quotas)}`,
  ]);
  return [
    ...renderNamed(name, facts),
    ...(rest.requiresTask ? renderNamed("", "only inside of its tasks") : renderTools(rest.tools)),
    ...rest.within.flatMap(({ kind: what, name: narrow, tools }) => [
      `  ${what} ${narrow}`,
      ...renderTools(tools).map((row) => `  ${row}`),
    ]),
  ];
}

function renderTools(tools: ToolsByGate): string[] {
  const rows = GATES.flatMap((gate) =>
    tools[gate].length === 0 ? [] : renderNamed(`  ${gate}`, listShort(tools[gate].map(protectStar))),
  );
  return rows.length === 0 ? renderNamed("", "no tool") : rows;
}

function protectStar(name: string): string {
  return name.replace(/\.\*/, MARKED_ALL);
}

/** Columns of the bar that shows how much of a machine is used. */
const BAR = 20;

function renderMemory({ machineBytes, usedBytes, sharedBytes, roles }: MemoryPlan): string[] {
  // Most processes of one machine use the same.
  const alike = Map.groupBy(roles, ({ bytes }) => bytes);
  const rows = [...alike].map(([bytes, of]) => {
    const names = of.map(({ role, processes }) => countNamed(processes, role)).join(", ");
    return `${names}: ${formatBytes(bytes)}${of.length === 1 ? "" : " each"}`;
  });
  const share = usedBytes / machineBytes;
  const full = Math.min(BAR, Math.round(share * BAR));
  const bar = `[${"#".repeat(full)}${"-".repeat(BAR - full)}] ${Math.round(100 * share)} %`;
  return [
    ...wrap([`kernel and what all share: ${formatBytes(sharedBytes)}`, ...rows].join("; "), WIDTH - 2),
    `together ${formatBytes(usedBytes)} of the machine's ${formatBytes(machineBytes)} ${bar}`,
  ];
}

function renderChanges(
  { against, tables }: Pick<PlanReport, "against" | "tables">,
  { command, folder }: PlanStyle,
): readonly Line[] {
  if (against === null) return makeSection("Changes", [`there is no build in ${folder} yet: all of this is new`]);
  const { build, notCompared } = against;
  const changes = mergeChanges(against.changes);
  const shown = changes.slice(0, MOST_CHANGES);
  const left = changes.length - shown.length;
  return [
    ...makeSection(`Changes against ${build.name} (${build.system} ${build.version})`, []),
    ...shown.flatMap(renderChange),
    ...(left === 0 ? [] : [{ text: `  and ${left} more: ${command}` }]),
    { text: `  ${changes.length === 0 ? describeNoChange(build, tables) : countLine(changes)}`, colour: "strong" },
    ...notCompared.flatMap((what) =>
      wrap(`not compared: ${what}`, WIDTH - 2).map((row): Line => ({ text: `  ${row}`, colour: "quiet" })),
    ),
  ];
}

function describeNoChange(build: SideName, tables: string): string {
  return build.tables === tables
    ? "a build would change nothing"
    : "a build would change only words of lines, their places and order, or the version";
}

/**
 * Joins changes of tools that come from one decision to another in one place, whatever their arguments are. Left out is that a tool itself
 * is new or gone, which its decisions say.
 */
function mergeChanges(changes: readonly ChangeReport[]): readonly ChangeReport[] {
  const groups = Map.groupBy(
    changes.filter(({ what }) => what !== "tool"),
    (change) => {
      const { direction, at, what, before, after, because } = change;
      if (what !== "") return change;
      return JSON.stringify([direction, at.map(({ place }) => place), before, after, because]);
    },
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const at = first.at.map(({ place }, index) => {
      return { place, tools: group.flatMap((change) => change.at[index]?.tools ?? []).sort() };
    });
    return [group.length === 1 ? first : { ...first, at, witnesses: [] }];
  });
}

const MARKS = { widened: "+", moved: "~", narrowed: "-" } as const;

function renderChange(change: ChangeReport): readonly Line[] {
  const { direction, at, what, before, after, witnesses, lines, because } = change;
  if (isRename(change)) {
    const [first = "", ...more] = renderRename(change);
    return [`= ${first}, renamed`, ...more.map((row) => `    ${row}`)].map((row) => ({
      text: `  ${row}`,
      colour: "moved",
    }));
  }
  const places = renderWhere(at, what);
  // A long condition reads best as the page writes it.
  const moved = lines.length > 0 && before.length + after.length > LONGEST_DECISIONS ? "" : `${before} → ${after}`;
  const [only = ""] = places;
  const isShort = moved !== "" && places.length === 1 && only.length + moved.length + 4 <= WIDTH - 2;
  // An example is needed only where arguments decide.
  const [shown] = before.includes(" where ") || after.includes(" where ") ? witnesses : [];
  const rows = [
    ...(isShort ? [`${only}: ${moved}`] : [...places.flatMap(wrapUnder), ...renderDecided(moved, lines).map(indent)]),
    ...(shown?.arguments === undefined ? [] : wrapUnder(callText(shown)).map(indent)),
    ...because.flatMap((reason) => wrapUnder(`because "${reason}"`).map(indent)),
  ];
  return rows.map((row, index) => ({ text: `  ${index === 0 ? MARKS[direction] : " "} ${row}`, colour: direction }));
}

/** Returns both decisions, or the lines of the page that decide now. */
function renderDecided(moved: string, lines: ChangeReport["lines"]): string[] {
  if (moved !== "") return wrapUnder(moved);
  return lines.slice(0, MOST_LINES).flatMap(({ words, place }) => wrapUnder(`${place}: ${words}`));
}

function wrapUnder(text: string): string[] {
  return wrap(text, WIDTH - 6);
}

function indent(row: string): string {
  return `  ${row}`;
}

function countNamed(count: number, name: string): string {
  return count === 1 ? name : `${name} ×${count}`;
}

function joinFacts(facts: readonly string[]): string {
  return facts.filter((fact) => fact !== "").join("; ");
}

function listShort(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** Returns a text with a name at its left, wrapped behind the column of names. */
function renderNamed(name: string, text: string): string[] {
  const head = name.length < NAME_WIDTH ? name.padEnd(NAME_WIDTH) : `${name} `;
  const [first = "", ...more] = wrap(text, WIDTH - 2 - Math.max(NAME_WIDTH, head.length), WIDTH - 2 - NAME_WIDTH);
  return [`${head}${first}`, ...more.map((row) => `${" ".repeat(NAME_WIDTH)}${row}`)];
}

/** Returns a table with a name at its left. The last column is wrapped. */
function renderTable(name: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return renderNamed(name, "none");
  const shown = rows.slice(0, MOST_ROWS);
  const heads = formatTable(shown.map((row) => [...row.slice(0, -1), ""]));
  const at = NAME_WIDTH + (heads[0]?.length ?? 0);
  const table = shown.flatMap((row, index) => {
    const [first = "", ...more] = wrap(row.at(-1) ?? "", Math.max(LEAST_WIDTH, WIDTH - 2 - at));
    const left = `${(index === 0 ? name : "").padEnd(NAME_WIDTH)}${heads[index]}`;
    return [`${left}${first}`, ...more.map((text) => `${" ".repeat(at)}${text}`)];
  });
  return rows.length > MOST_ROWS
    ? [...table, ...renderNamed("", `and ${rows.length - MOST_ROWS} more: --json has them`)]
    : table;
}

/** Columns of the last column at least, however long the names before it are. */
const LEAST_WIDTH = 24;

/** Breaks a text at its blanks. A word that is longer than a line stays whole. */
function wrap(text: string, first: number, rest = first): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    const limit = rows.length === 0 ? first : rest;
    if (row !== "" && row.length + 1 + word.length > limit) {
      rows.push(row);
      row = word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row];
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Returns a size with two digits at least: `4.9 KiB`, `136 MiB`. */
function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = Number.isInteger(size) || size >= 10 ? Math.round(size).toString() : size.toFixed(1);
  return `${digits} ${UNITS[unit]}`;
}
