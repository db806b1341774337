import {
  type ChosenValues,
  type Conversation,
  chooseBackend,
  endWorker,
  enterPhase,
  findList,
  type IndexedTables,
  isSameLabel,
  join,
  listConditions,
  makeStandIn,
  openConversation,
  openTask,
  startTurn,
  startWorker,
} from "../../../engine/lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { sampleChosen } from "./arguments/chosen.ts";
import type { Witness, WitnessConversation, WitnessStep } from "./proof.ts";
import {
  explainQuotaBlock,
  type QuotaSharing,
  type ReplayContext,
  replayCall,
  replayCalls,
  type StepResult,
} from "./replay-call.ts";
import type { TraceConversation, TraceStep, TraceWorker } from "./trace.ts";

// Before a counterexample is reported, it is replayed with the functions that the image runs and the page's own labels.

/** Returns the witness, or the reason for which the trace is impossible. */
export function replay(
  tables: IndexedTables,
  trace: readonly TraceConversation[],
  sharing: QuotaSharing = { sameTurn: false, sameLogin: false },
): Result<Witness> {
  const context: ReplayContext = { tables, sharing, lastingUsage: new Map() };
  const conversations: WitnessConversation[] = [];
  for (const conversation of trace) {
    const replayed = replayConversation(context, conversation);
    if (!replayed.ok) return replayed;
    conversations.push(replayed.value);
  }
  return accept({ conversations });
}

/**
 * Replays a conversation. The function tries values for the task's parameters, and uses the first ones with which all
 * steps are possible. Fails if no tried values make all steps possible.
 */
function replayConversation(context: ReplayContext, trace: TraceConversation): Result<WitnessConversation> {
  const { tables } = context;
  const row = tables.rows[trace.row];
  if (row === undefined) return refuse("a conversation begins nowhere");
  if (row.parameters.length === 0) return replayChosen(context, trace, row, undefined);
  let refused: Result<WitnessConversation> = refuse("no values of its parameters were found");
  for (const chosen of chooseValues(tables, row, trace)) {
    const replayed = replayChosen(context, trace, row, chosen);
    if (replayed.ok) return replayed;
    refused = replayed;
  }
  return refused;
}

/**
 * Returns combinations of values for a task's parameters, to be tried one after the other. The lines about the called
 * tools may decide differently for them.
 */
function chooseValues(
  tables: IndexedTables,
  { session, task, parameters }: Row,
  trace: TraceConversation,
): readonly ChosenValues[] {
  const rows = tables.rows.filter((row) => row.session === session && row.task === task);
  const asked = listCalledTools(trace.steps).map((index) => {
    const lists = rows.flatMap((row) => findList(tables, row, index) ?? []);
    return { params: tables.tools[index]?.params ?? [], conditions: lists.flatMap(listConditions) };
  });
  const rest = parameters.map(({ name, kind }) => [name, makeStandIn(kind)] as const);
  return sampleChosen(asked).chosen.map((chosen) => new Map([...rest, ...chosen]));
}

function listCalledTools(steps: readonly TraceStep[]): readonly number[] {
  const called = steps.flatMap((step) => {
    if (step.kind === "call") return [step.tool];
    return step.kind === "worker" ? listCalledTools(step.steps) : [];
  });
  return [...new Set(called)];
}

function replayChosen(
  context: ReplayContext,
  { steps }: TraceConversation,
  row: Row,
  chosen: ChosenValues | undefined,
): Result<WitnessConversation> {
  const { tables, lastingUsage } = context;
  const begun = beginConversation(tables, row.session, row.task, chosen);
  if (!begun.ok) return begun;
  const spent = begun.value.spent.map((used, at) => used + (lastingUsage.get(row.quotas[at]?.rule ?? -1) ?? 0n));
  const replayed = replaySteps(context, { ...begun.value, spent }, steps);
  if (!replayed.ok) return replayed;
  recordLastingUsage(context, replayed.value.conversation);
  const values = chosen === undefined ? {} : { chosen: [...chosen].map(([name, value]) => ({ name, value })) };
  return accept({ session: row.session, task: row.task, ...values, steps: replayed.value.steps });
}

function beginConversation(
  tables: IndexedTables,
  session: string,
  task: string,
  chosen: ChosenValues | undefined,
): Result<Conversation> {
  if (task !== "") {
    const opened = openTask(tables, session, task, chosen);
    return opened.ok ? accept(opened.value.conversation) : opened;
  }
  const opened = openConversation(tables, session);
  return opened === undefined ? refuse(`no session ${session}`) : accept(opened);
}

/**
 * Records the usage of quotas that continue after the conversation. Quotas per hour and per day do not continue,
 * because the replay assumes that days pass between conversations.
 */
function recordLastingUsage({ tables, sharing, lastingUsage }: ReplayContext, { row, spent }: Conversation): void {
  for (const [at, { scope, rule }] of (tables.rows[row]?.quotas ?? []).entries())
    if (scope === "principal" || (scope === "login" && sharing.sameLogin)) lastingUsage.set(rule, spent[at] ?? 0n);
}

function replaySteps(context: ReplayContext, begun: Conversation, toReplay: readonly TraceStep[]): StepResult {
  let conversation = begun;
  const steps: WitnessStep[] = [];
  for (const step of toReplay) {
    const turned = context.sharing.sameTurn ? conversation : startTurn(context.tables, conversation);
    const stepped = replayStep(context, turned, step);
    if (!stepped.ok) return stepped;
    steps.push(...stepped.value.steps);
    conversation = stepped.value.conversation;
  }
  return accept({ conversation, steps });
}

function replayStep(context: ReplayContext, conversation: Conversation, step: TraceStep): StepResult {
  const { tables } = context;
  switch (step.kind) {
    case "call":
      return step.times === undefined
        ? replayCall(context, conversation, step)
        : replayCalls(context, conversation, step, step.times);
    case "phase":
      return replayPhase(tables, conversation, step.row);
    case "ingress":
      return replayIngress(tables, conversation, step.ingress);
    case "worker":
      return replayWorker(context, conversation, step);
    case "infer":
      return replayInference(tables, conversation, step.backend);
  }
}

function replayPhase(tables: IndexedTables, now: Conversation, row: number): StepResult {
  const phase = tables.rows[row]?.phase ?? "";
  const entered = enterPhase(tables, now, phase);
  if (!entered.ok) return refuse(explainBlockingPrompts(tables, now, row) ?? entered.reason);
  const { conversation, gate } = entered.value;
  return accept({ conversation, steps: [{ kind: "phase", phase, gate, label: conversation.label }] });
}

function explainBlockingPrompts(tables: IndexedTables, now: Conversation, row: number): string | undefined {
  const quota = tables.rows[row]?.quotas.find(({ unit, rule, amount }) => {
    const at = tables.rows[now.row]?.quotas.findIndex((held) => held.rule === rule) ?? -1;
    return unit === "prompts" && (now.spent[at] ?? 0n) + 1n > amount;
  });
  return quota && explainQuotaBlock(tables, quota);
}

function replayIngress(tables: IndexedTables, now: Conversation, index: number): StepResult {
  const ingress = tables.ingresses[index];
  if (ingress === undefined || ingress.row !== now.row) return refuse("words come in where none can");
  const conversation = { ...now, label: join(now.label, ingress.label) };
  return accept({ conversation, steps: [{ kind: "ingress", name: ingress.name, label: conversation.label }] });
}

function replayWorker(context: ReplayContext, parent: Conversation, step: TraceWorker): StepResult {
  const { tables } = context;
  const worker = tables.rows[step.row]?.worker ?? "";
  const started = startWorker(tables, parent, worker);
  if (!started.ok) return started;
  const replayed = replaySteps(context, started.value, step.steps);
  if (!replayed.ok) return replayed;
  const { conversation: done, steps } = replayed.value;
  const ended = step.label === undefined ? accept(done) : endWorker(tables, parent, done);
  if (!ended.ok) return ended;
  const conversation = ended.value;
  if (!isSameLabel(conversation.label, step.label ?? conversation.label))
    return refuse(`what ${worker} has seen comes from a conversation that is not the one it ends in`);
  return accept({ conversation, steps: [{ kind: "worker", worker, steps, label: conversation.label }] });
}

function replayInference(tables: IndexedTables, conversation: Conversation, backend: number): StepResult {
  const chosen = chooseBackend(tables, conversation, new Set([backend]));
  const name = tables.backends[backend]?.name ?? "";
  if (chosen?.backend !== backend || chosen.mode === "forbidden") return refuse(`${name} does not answer there`);
  const { label } = conversation;
  return accept({ conversation, steps: [{ kind: "infer", backend: name, gate: chosen.mode, label }] });
}
