import {
  admit,
  type Checked,
  type Conversation,
  chooseBackend,
  decide,
  endWorker,
  enterPhase,
  FIRST_DECISION,
  type Gated,
  type IndexedTables,
  join,
  type Label,
  mayFlow,
  nextTurn,
  openConversation,
  openTask,
  refuse,
  startWorker,
} from "../../engine/policy/index.ts";
import type { Quota } from "../../engine/wire/generated/policy.ts";
import { argumentsFor } from "./arguments.ts";
import { GATES, gateBit } from "./modes.ts";
import type { CalledStep, Played, Witness, WitnessStep } from "./proof.ts";
import type { Act, CallAct, Scene, WorkerAct } from "./story.ts";

// What a search has found is played with the functions that the image runs, on the labels of the page itself, before
// anybody is told of it.

/** What goes on being counted from step to step. */
export interface Counting {
  /** All steps of a conversation are one turn; else each is one of its own. */
  readonly sameTurn: boolean;
  /** All conversations are of one login; else each is of one of its own. */
  readonly sameLogin: boolean;
}

/** The witness, or why it does not come about. */
export function replay(
  tables: IndexedTables,
  scenes: readonly Scene[],
  counting: Counting = { sameTurn: false, sameLogin: false },
): Checked<Witness> {
  const stage: Stage = { tables, counting, kept: new Map() };
  const conversations: Played[] = [];
  for (const scene of scenes) {
    const played = playScene(stage, scene);
    if (!played.ok) return played;
    conversations.push(played.value);
  }
  return { ok: true, value: { conversations } };
}

interface Stage {
  readonly tables: IndexedTables;
  readonly counting: Counting;
  /** What was used of quotas that outlast conversations, by their rules. */
  readonly kept: Map<number, bigint>;
}

type Stepped = Checked<{ readonly conversation: Conversation; readonly step: WitnessStep }>;
type Lines = Checked<{ readonly conversation: Conversation; readonly steps: readonly WitnessStep[] }>;

function playScene(stage: Stage, { row: index, acts }: Scene): Checked<Played> {
  const { tables, kept } = stage;
  const row = tables.rows[index];
  if (row === undefined) return refuse("a conversation begins nowhere");
  const begun = beginning(tables, row.session, row.task);
  if (!begun.ok) return begun;
  const spent = begun.value.spent.map((used, at) => used + (kept.get(row.quotas[at]?.rule ?? -1) ?? 0n));
  const played = playActs(stage, { ...begun.value, spent }, acts);
  if (!played.ok) return played;
  keep(stage, played.value.conversation);
  return { ok: true, value: { session: row.session, task: row.task, steps: played.value.steps } };
}

function beginning(tables: IndexedTables, session: string, task: string): Checked<Conversation> {
  if (task !== "") {
    const opened = openTask(tables, session, task);
    return opened.ok ? { ok: true, value: opened.value.conversation } : opened;
  }
  const opened = openConversation(tables, session);
  return opened === undefined ? refuse(`no session ${session}`) : { ok: true, value: opened };
}

/** What counts for a principal goes on with the next conversation; hours and days pass. */
function keep({ tables, counting, kept }: Stage, { row, spent }: Conversation): void {
  for (const [at, { scope, rule }] of (tables.rows[row]?.quotas ?? []).entries())
    if (scope === "principal" || (scope === "login" && counting.sameLogin)) kept.set(rule, spent[at] ?? 0n);
}

function playActs(stage: Stage, begun: Conversation, acts: readonly Act[]): Lines {
  let conversation = begun;
  const steps: WitnessStep[] = [];
  for (const act of acts) {
    const turned = stage.counting.sameTurn ? conversation : nextTurn(stage.tables, conversation);
    const stepped = playAct(stage, turned, act);
    if (!stepped.ok) return stepped;
    steps.push(stepped.value.step);
    conversation = stepped.value.conversation;
  }
  return { ok: true, value: { conversation, steps } };
}

function playAct(stage: Stage, conversation: Conversation, act: Act): Stepped {
  const { tables } = stage;
  switch (act.kind) {
    case "call":
      return act.times === undefined
        ? playCall(stage, conversation, act)
        : playCalls(stage, conversation, act, act.times);
    case "phase":
      return playPhase(tables, conversation, act.row);
    case "ingress":
      return playIngress(tables, conversation, act.ingress);
    case "worker":
      return playWorker(stage, conversation, act);
    case "infer":
      return playInference(tables, conversation, act.backend);
  }
}

function playCall({ tables }: Stage, conversation: Conversation, { tool: index, gates, back }: CallAct): Stepped {
  const tool = tables.tools[index];
  const list = tables.decisions[(tables.rows[conversation.row]?.cells[index] ?? 0) - FIRST_DECISION];
  if (tool === undefined || list === undefined) return refuse("a tool is called that is not there");
  const found = argumentsFor(tool, list);
  let why = `no arguments of ${tool.name} lead there`;
  for (const mode of GATES) {
    const args = found[mode];
    if (args.kind === "unknown") why = `of ${tool.name}, ${args.why}`;
    if (args.kind !== "some") continue;
    const decision = decide(tables, conversation, { tool: tool.name, arguments: args.arguments });
    if (decision.kind === "refused") {
      why = blockedBy(tables, conversation, decision.rule) ?? `${tool.name} is refused: ${decision.reason}`;
      continue;
    }
    if ((gateBit(decision.gate) & gates) === 0) continue;
    return afterCall(tables, conversation, tool.name, decision, back);
  }
  return refuse(why);
}

/**
 * The first two are played, and the others reckoned: a call that leaves a conversation as it found it, but for what was used,
 * can be made again for as long as its quotas last.
 */
function playCalls(stage: Stage, conversation: Conversation, act: CallAct, times: number): Stepped {
  const first = playCall(stage, conversation, act);
  if (times < 2 || !first.ok) return first;
  const between = first.value.conversation;
  const again = playCall(stage, stage.counting.sameTurn ? between : nextTurn(stage.tables, between), act);
  if (!again.ok) return again;
  const { step, conversation: after } = again.value;
  if (!isSame(after.label, between.label)) return refuse("what comes back changes the conversation each time");
  const quotas = stage.tables.rows[after.row]?.quotas ?? [];
  const renewed = (scope: string) => scope === "call" || (scope === "turn" && !stage.counting.sameTurn);
  const spent = quotas.map(({ scope }, at) => {
    const [used, before] = [after.spent[at] ?? 0n, between.spent[at] ?? 0n];
    return renewed(scope) ? used : used + (used - before) * BigInt(times - 2);
  });
  const exhausted = quotas.find(({ scope, amount }, at) => !renewed(scope) && (spent[at] ?? 0n) > amount);
  if (exhausted !== undefined) return refuse(blockedOnly(stage.tables, exhausted));
  return {
    ok: true,
    value: { conversation: { ...after, spent }, step: step.kind === "call" ? { ...step, times } : step },
  };
}

function blockedBy(tables: IndexedTables, { row }: Conversation, rule: number | undefined): string | undefined {
  const quota = tables.rows[row]?.quotas.find((one) => one.rule === rule);
  return quota && blockedOnly(tables, quota);
}

function blockedOnly({ rules }: IndexedTables, { rule }: Quota): string {
  return `blocked only by quota \`${rules[rule]?.words.replace(/^quota /, "")}\``;
}

function afterCall(
  tables: IndexedTables,
  before: Conversation,
  tool: string,
  { tool: index, arguments: text, gate, rule, release, spent }: Gated,
  back: CallAct["back"],
): Stepped {
  const called = { kind: "call", tool, arguments: text, gate, rule } as const;
  const common = release === undefined ? called : { ...called, release };
  if (back === undefined) {
    const step: CalledStep = { ...common, label: before.label };
    return { ok: true, value: { conversation: { ...before, spent }, step } };
  }
  const { conversation } = admit(tables, { ...before, spent }, index, back.stated);
  if (!isSame(conversation.label, back.label ?? conversation.label))
    return refuse(`${tool} leads to another label than was reckoned with`);
  return { ok: true, value: { conversation, step: { ...common, returning: back.stated, label: conversation.label } } };
}

function isSame(one: Label, other: Label): boolean {
  return mayFlow(one, other) && mayFlow(other, one);
}

function playPhase(tables: IndexedTables, now: Conversation, row: number): Stepped {
  const phase = tables.rows[row]?.phase ?? "";
  const entered = enterPhase(tables, now, phase);
  if (!entered.ok) return refuse(promptsBlocking(tables, now, row) ?? entered.reason);
  const { conversation, gate } = entered.value;
  return { ok: true, value: { conversation, step: { kind: "phase", phase, gate, label: conversation.label } } };
}

function promptsBlocking(tables: IndexedTables, now: Conversation, row: number): string | undefined {
  const quota = tables.rows[row]?.quotas.find(({ unit, rule, amount }) => {
    const at = tables.rows[now.row]?.quotas.findIndex((held) => held.rule === rule) ?? -1;
    return unit === "prompts" && (now.spent[at] ?? 0n) + 1n > amount;
  });
  return quota && blockedOnly(tables, quota);
}

function playIngress(tables: IndexedTables, now: Conversation, index: number): Stepped {
  const ingress = tables.ingresses[index];
  if (ingress === undefined || ingress.row !== now.row) return refuse("words come in where none can");
  const conversation = { ...now, label: join(now.label, ingress.label) };
  return {
    ok: true,
    value: { conversation, step: { kind: "ingress", name: ingress.name, label: conversation.label } },
  };
}

function playWorker(stage: Stage, parent: Conversation, act: WorkerAct): Stepped {
  const { tables } = stage;
  const worker = tables.rows[act.row]?.worker ?? "";
  const started = startWorker(tables, parent, worker);
  if (!started.ok) return started;
  const played = playActs(stage, started.value, act.acts);
  if (!played.ok) return played;
  const { conversation: done, steps } = played.value;
  const conversation = act.label === undefined ? done : endWorker(tables, parent, done);
  if (!isSame(conversation.label, act.label ?? conversation.label))
    return refuse(`what ${worker} has seen comes from a conversation that is not the one it ends in`);
  return { ok: true, value: { conversation, step: { kind: "worker", worker, steps, label: conversation.label } } };
}

function playInference(tables: IndexedTables, conversation: Conversation, backend: number): Stepped {
  const chosen = chooseBackend(tables, conversation, new Set([backend]));
  const name = tables.backends[backend]?.name ?? "";
  if (chosen?.backend !== backend || chosen.mode === "forbidden") return refuse(`${name} does not answer there`);
  const { label } = conversation;
  return { ok: true, value: { conversation, step: { kind: "infer", backend: name, gate: chosen.mode, label } } };
}
