import {
  accept,
  type Checked,
  type Conversation,
  chooseBackend,
  endWorker,
  enterPhase,
  type IndexedTables,
  isSameLabel,
  join,
  openConversation,
  openTask,
  refuse,
  startTurn,
  startWorker,
} from "../../../engine/lib/policy/index.ts";
import { type Counting, explainQuotaBlock, playCall, playCalls, type Stage, type Stepped } from "./playing.ts";
import type { Played, Witness, WitnessStep } from "./proof.ts";
import type { Act, Scene, WorkerAct } from "./story.ts";

// What a search has found is played with the functions that the image runs, on the labels of the page itself, before
// anybody is told of it.

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
  return accept({ conversations });
}

function playScene(stage: Stage, { row: index, acts }: Scene): Checked<Played> {
  const { tables, kept } = stage;
  const row = tables.rows[index];
  if (row === undefined) return refuse("a conversation begins nowhere");
  const begun = beginConversation(tables, row.session, row.task);
  if (!begun.ok) return begun;
  const spent = begun.value.spent.map((used, at) => used + (kept.get(row.quotas[at]?.rule ?? -1) ?? 0n));
  const played = playActs(stage, { ...begun.value, spent }, acts);
  if (!played.ok) return played;
  keep(stage, played.value.conversation);
  return accept({ session: row.session, task: row.task, steps: played.value.steps });
}

function beginConversation(tables: IndexedTables, session: string, task: string): Checked<Conversation> {
  if (task !== "") {
    const opened = openTask(tables, session, task);
    return opened.ok ? accept(opened.value.conversation) : opened;
  }
  const opened = openConversation(tables, session);
  return opened === undefined ? refuse(`no session ${session}`) : accept(opened);
}

/** What counts for a principal goes on with the next conversation; hours and days pass. */
function keep({ tables, counting, kept }: Stage, { row, spent }: Conversation): void {
  for (const [at, { scope, rule }] of (tables.rows[row]?.quotas ?? []).entries())
    if (scope === "principal" || (scope === "login" && counting.sameLogin)) kept.set(rule, spent[at] ?? 0n);
}

function playActs(stage: Stage, begun: Conversation, acts: readonly Act[]): Stepped {
  let conversation = begun;
  const steps: WitnessStep[] = [];
  for (const act of acts) {
    const turned = stage.counting.sameTurn ? conversation : startTurn(stage.tables, conversation);
    const stepped = playAct(stage, turned, act);
    if (!stepped.ok) return stepped;
    steps.push(...stepped.value.steps);
    conversation = stepped.value.conversation;
  }
  return accept({ conversation, steps });
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

function playPhase(tables: IndexedTables, now: Conversation, row: number): Stepped {
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

function playIngress(tables: IndexedTables, now: Conversation, index: number): Stepped {
  const ingress = tables.ingresses[index];
  if (ingress === undefined || ingress.row !== now.row) return refuse("words come in where none can");
  const conversation = { ...now, label: join(now.label, ingress.label) };
  return accept({ conversation, steps: [{ kind: "ingress", name: ingress.name, label: conversation.label }] });
}

function playWorker(stage: Stage, parent: Conversation, act: WorkerAct): Stepped {
  const { tables } = stage;
  const worker = tables.rows[act.row]?.worker ?? "";
  const started = startWorker(tables, parent, worker);
  if (!started.ok) return started;
  const played = playActs(stage, started.value, act.acts);
  if (!played.ok) return played;
  const { conversation: done, steps } = played.value;
  const ended = act.label === undefined ? accept(done) : endWorker(tables, parent, done);
  if (!ended.ok) return ended;
  const conversation = ended.value;
  if (!isSameLabel(conversation.label, act.label ?? conversation.label))
    return refuse(`what ${worker} has seen comes from a conversation that is not the one it ends in`);
  return accept({ conversation, steps: [{ kind: "worker", worker, steps, label: conversation.label }] });
}

function playInference(tables: IndexedTables, conversation: Conversation, backend: number): Stepped {
  const chosen = chooseBackend(tables, conversation, new Set([backend]));
  const name = tables.backends[backend]?.name ?? "";
  if (chosen?.backend !== backend || chosen.mode === "forbidden") return refuse(`${name} does not answer there`);
  const { label } = conversation;
  return accept({ conversation, steps: [{ kind: "infer", backend: name, gate: chosen.mode, label }] });
}
