// Renders a refutation as .chat scripts (compiler/machine/chat/README.md). A person types every call, so that no model has to be
// persuaded. After each call, the script asks the machine for the decision, the line of the page that decided, and the label.

import { formatLabel, renderTaskCommand } from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { PolicyTables, Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import type { Gate, Witness, WitnessCall, WitnessConversation, WitnessStep } from "../../phases/prove/index.ts";

/** Returns one script for each start of the machine. `title` is the text of the refuted assertion. */
export function renderScript(policy: Policy, title: string, { conversations }: Witness): Result<readonly string[]> {
  const reason = conversations
    .flatMap(({ steps }) => steps.map((step) => explainUnplayable(policy, step)))
    .find(Boolean);
  if (reason !== undefined) return { ok: false, reason };
  const boots = groupByBoot(conversations);
  const scripts = boots.map((played, index) => {
    const head = [`# refutes: ${title}`, "# capc run --unproved IMAGE --script FILE"];
    const of = boots.length === 1 ? [] : [`# start ${index + 1} of ${boots.length}, each over the same --disk FILE`];
    const disk = policy.storage === undefined ? ["@ nodisk"] : [];
    return `${[...head, ...of, ...disk, ...played.flatMap((one, at) => renderConversation(policy, one, at === 0 ? "first" : "later"))].join("\n")}\n`;
  });
  return { ok: true, value: scripts };
}

/**
 * Groups the conversations by start of the machine. A script cannot begin a second conversation of a session, so each further conversation
 * of a session needs another start.
 */
function groupByBoot(conversations: readonly WitnessConversation[]): (readonly WitnessConversation[])[] {
  const boots: WitnessConversation[][] = [];
  for (const played of conversations) {
    const last = boots[boots.length - 1];
    if (last === undefined || last.some(({ session }) => session === played.session)) boots.push([played]);
    else last.push(played);
  }
  return boots;
}

/** Returns the reason why a machine cannot perform the step, or `undefined` if it can. */
function explainUnplayable({ tables, storage }: Policy, step: WitnessStep): string | undefined {
  switch (step.kind) {
    case "ingress":
      return `words come in through ${step.name}, and the image has no ingress yet`;
    case "worker":
      return `the worker ${step.worker} works, and the image has no workers yet`;
    case "infer":
      return step.gate === "auto" ? undefined : `${step.backend} is behind a gate, which no script is written to open`;
    case "phase":
      return step.gate === "auto" || storage !== undefined ? undefined : NO_DISK;
    case "call":
      return (
        explainUncallable(tables, step) ?? (isRecorded(tables, step) && storage === undefined ? NO_DISK : undefined)
      );
  }
}

const NO_DISK = "the system has no data disk, and without one the image runs only automatic calls that read";

function isRecorded({ tools }: PolicyTables, { tool, gate }: WitnessCall): boolean {
  return gate !== "auto" || tools.find(({ name }) => name === tool)?.readOnly !== true;
}

/**
 * Maximum number of calls of one step. A limit may be of any size, and its refutation needs one call more than the
 * limit.
 */
const MOST_TIMES = 1000;

/**
 * Returns the reason why a machine cannot make the call, or `undefined` if it can. The image's own services state no
 * labels, so the gate assumes the highest label of the tool's range.
 */
function explainUncallable(
  { lattice, tools }: PolicyTables,
  { tool, returning, times = 1 }: WitnessCall,
): string | undefined {
  if (times > MOST_TIMES) return `it takes more than ${MOST_TIMES} calls of ${tool}`;
  const high = tools.find(({ name }) => name === tool)?.result.high;
  if (returning === undefined || high === undefined) return undefined;
  const [meant, given] = [formatLabel(lattice, returning), formatLabel(lattice, high)];
  return meant === given
    ? undefined
    : `${tool} returns ${meant} there, and the image takes all that it returns as ${given}`;
}

function renderConversation(
  policy: Policy,
  { session, task, chosen = [], steps }: WitnessConversation,
  place: "first" | "later",
): string[] {
  const { tables, image } = policy;
  const row = tables.rows.find((one) => one.session === session && one.task === task && one.phaseIndex === 0);
  const values = new Map(chosen.map(({ name, value }) => [name, value]));
  const command = renderTaskCommand(task, row?.parameters ?? [], values);
  const isThere = place === "first" && session === image.boot;
  const begun = task === "" ? [] : [`> ${command}`, ...answer(tables, session, row?.entry ?? "auto"), IN_IT];
  return [
    "",
    `# a conversation in ${session}${task === "" ? "" : `, in the task ${task}`}`,
    ...(isThere ? [] : [`> /session ${session}`, `< session ${session}`]),
    ...renderLogin(tables, session, row),
    ...begun,
    ...steps.flatMap((step) => stepLines(tables, session, step)),
  ];
}

function renderLogin(tables: PolicyTables, session: string, row: Row | undefined): string[] {
  if (row === undefined || row.login === "none") return [];
  if (row.login === "key") return ["> /login", ...answer(tables, session, "stepUp"), "< is logged in"];
  const who = row.principals
    .flatMap((index) => tables.principals[index] ?? [])
    .find(({ passphrase }) => passphrase !== "");
  // The disk is new, so the first person to log in chooses the passphrase.
  const typed = '? other "chosen at the machine"';
  return [`> /login ${who?.name ?? ""}`, typed, typed, "< is logged in"];
}

const IN_IT = "< this conversation is in";

function stepLines(tables: PolicyTables, session: string, step: WitnessStep): string[] {
  switch (step.kind) {
    case "call":
      return callLines(tables, session, step);
    case "phase":
      return [`> /phase ${step.phase}`, ...answer(tables, session, step.gate), IN_IT];
    case "infer":
      // A response of the model shows that it received the whole conversation.
      return ["> Is anybody there?", "< agent> ", "! may not answer"];
    case "ingress":
    case "worker":
      return [];
  }
}

function callLines(tables: PolicyTables, session: string, step: WitnessCall): string[] {
  const { tool, gate, rule, release, label, returning, times = 1 } = step;
  const once = [`> /tool ${tool} ${step.arguments}`, ...answer(tables, session, gate)];
  const line = release === undefined ? tables.rules[rule] : undefined;
  return [
    ...Array.from({ length: times }, () => once).flat(),
    // A call that fails at its service still ran: the service received the arguments, and the label has risen.
    "> /why",
    `< decided: ${gate}, because:`,
    ...(line === undefined ? [] : [`< rule: ${line.words} (${line.place})`]),
    ...(returning === undefined ? [] : [`< this conversation is at ${formatLabel(tables.lattice, label)}`]),
  ];
}

function answer({ rows, principals }: PolicyTables, session: string, gate: Gate | "forbidden"): string[] {
  switch (gate) {
    case "auto":
    case "forbidden":
      return [];
    case "consent":
      return ["? allow", "< allowed"];
    case "stepUp": {
      const [first] = rows.find((row) => row.session === session)?.principals ?? [];
      return [`? sign ${principals[first ?? -1]?.name ?? "nobody"}`, "< signature taken"];
    }
  }
}
