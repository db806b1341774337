// Prints a plan as one screen of 80 columns: contents, authority, memory, and the changes, which come last because a terminal shows the
// end. Text from pages and artefacts is untrusted, so each line is escaped before it is coloured.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { Paint } from "../colour.ts";
import { wrap } from "../wrapping.ts";
import { type ChangeWords, renderChanges } from "./changes.ts";
import { formatBytes, type Line, MOST_ROWS, makeSection, renderNamed, renderTable, WIDTH } from "./layout.ts";
import type { GatedTool, ImageContents, MemoryPlan, PlanReport, SessionAuthority, ToolsByGate } from "./plan-report.ts";
import { GATES } from "./sessions.ts";

/** Maximum number of names in one list. */
const MOST_NAMES = 16;
const SHOWN_DIGITS = 16;

interface PlanStyle extends ChangeWords {
  readonly paint: Paint;
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
  const isMarked = rows.some((row) => /\?(?:,|$| and )/.test(row));
  return [
    ...rows,
    ...(sessions.length > MOST_ROWS ? [`and ${sessions.length - MOST_ROWS} more sessions: --json has them`] : []),
    ...(isMarked ? [`${CONDITIONAL} the arguments, the conversation or the phase decide: capc why`] : []),
  ];
}

/** Mark after a tool whose gate depends on arguments, on the conversation, or on the phase of a task. */
const CONDITIONAL = "?";

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
    ...rest.within.flatMap(({ kind: what, name: narrow, tools }) => [`  ${what} ${narrow}`, ...renderTools(tools, 4)]),
  ];
}

function renderTools(tools: ToolsByGate, indentation = 2): string[] {
  const rows = GATES.flatMap((gate) =>
    tools[gate].length === 0
      ? []
      : renderNamed(`${" ".repeat(indentation)}${gate}`, listShort(tools[gate].map(renderTool))),
  );
  return rows.length === 0 ? renderNamed("", "no tool") : rows;
}

function renderTool({ name, isConditional }: GatedTool): string {
  return isConditional ? `${name}${CONDITIONAL}` : name;
}

/** Width of the bar that shows the used part of the machine's memory. */
const BAR = 20;

function renderMemory({ machineBytes, usedBytes, sharedBytes, roles }: MemoryPlan): string[] {
  // Roles whose processes use the same amount of memory share an entry, because most processes use the same amount.
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
