import {
  admit,
  type Conversation,
  canonicalizeArguments,
  type Decision,
  decide,
  enterPhase,
  evaluateBackends,
  type GatedDecision,
  type IndexedTables,
  join,
  type Label,
  mayFlow,
  openConversation,
  openTask,
  readJson,
} from "../../../engine/lib/policy/index.ts";
import {
  addResult,
  addWritten,
  createQuestionIndex,
  createStrengthTest,
  type SourceIndex,
  viewSources,
} from "../../../engine/lib/provenance/index.ts";
import { decideAtGate } from "../../../engine/lib/reach/decide-at-gate.ts";
import type { BoundStep, PersonsAnswer } from "../../phases/bind/index.ts";
import { resolveLabel } from "../../phases/policy/index.ts";
import { explainFlow, type ReadData } from "./flow-words.ts";

// Runs one step of a test: returns its result, and the conversation after the step.

interface Scene {
  /** Current conversation; `undefined` before the first `as`. */
  readonly conversation: Conversation | undefined;
  /** Indexes of the backends that a person has allowed to read the conversation. */
  readonly leases: ReadonlySet<number>;
  /** Results that the conversation has read, in order. */
  readonly reads: readonly ReadData[];
  /** Name of the page on a command line. */
  readonly file: string;
  /**
   * Index of the sources that the conversation has read; absent if no line of the page needs it. Steps of the test add
   * sources to it.
   */
  readonly index?: SourceIndex;
}

/**
 * Result of a step: the mode of its gate, and the outcome. If the outcome is absent, a question to a person is still
 * open.
 */
export interface StepOutcome {
  readonly mode?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason: string;
  /** The rules that decided, as indexes into the rules of the tables. */
  readonly rules: readonly number[];
  readonly scene: Scene;
}

type Ask<K extends BoundStep["kind"]> = Extract<BoundStep, { readonly kind: K }>;
type Gate = GatedDecision["gate"];

export function take(tables: IndexedTables, scene: Scene, step: BoundStep): StepOutcome {
  if (step.kind === "as") return begin(tables, scene, step);
  const { conversation } = scene;
  if (conversation === undefined) return failStep(scene, "no conversation has begun: write `as SESSION` first");
  switch (step.kind) {
    case "say":
    case "paste":
      return say(tables, scene, conversation, step);
    case "enter":
      return enter(tables, scene, conversation, step);
    case "infer":
      return infer(tables, scene, conversation, step);
    case "call":
      return call(tables, scene, conversation, step);
  }
}

/** Returns the state of a test before its first `as`, which begins a conversation. */
export function createScene(file: string): Scene {
  return { conversation: undefined, leases: new Set(), reads: [], file };
}

/** Returns the result of a step that cannot be taken. No expectation matches this result. */
function failStep(scene: Scene, reason: string): StepOutcome {
  return { reason, rules: [], scene };
}

function begin(tables: IndexedTables, { file }: Scene, { who, given, unattended }: Ask<"as">): StepOutcome {
  const nobody = createScene(file);
  if (who.kind === "session") {
    const conversation = openConversation(tables, who.session.id);
    if (conversation === undefined) return failStep(nobody, `the tables have no session ${who.session.id}`);
    return {
      outcome: "ok",
      reason: "",
      rules: [],
      scene: listenFrom(tables, nobody, { ...conversation, unattended }),
    };
  }
  const begun = openTask(tables, who.session.id, who.task.name, given);
  if (!begun.ok) return failStep(nobody, begun.reason);
  const conversation = { ...begun.value.conversation, unattended };
  return {
    outcome: "ok",
    reason: "",
    rules: collectRules(begun.value.rule),
    scene: listenFrom(tables, nobody, conversation),
  };
}

/** Returns the state of a test in this conversation, with a new index of sources if a line of the page needs one. */
function listenFrom(tables: IndexedTables, scene: Scene, conversation: Conversation): Scene {
  const index = createQuestionIndex(tables);
  return index === undefined ? { ...scene, conversation } : listen(tables, { ...scene, index }, conversation);
}

/** Returns the state of a test in this conversation. The next decision uses all sources that are in the index now. */
function listen(tables: IndexedTables, scene: Scene, conversation: Conversation): Scene {
  if (scene.index === undefined) return { ...scene, conversation };
  const sources = viewSources(scene.index, createStrengthTest(tables));
  return { ...scene, conversation: { ...conversation, sources } };
}

/** Runs a step in which a person types or pastes something. */
function say(
  tables: IndexedTables,
  scene: Scene,
  now: Conversation,
  { kind, text }: Ask<"say" | "paste">,
): StepOutcome {
  scene.index?.add({ which: kind === "say" ? "person" : "pasted" }, text);
  return { outcome: "ok", reason: "", rules: [], scene: listen(tables, scene, now) };
}

function collectRules(...rules: readonly (number | undefined)[]): number[] {
  return rules.filter((rule) => rule !== undefined);
}

/** Returns the outcome to which the gate and the person's answer lead, or `undefined` while the question is open. */
function resolveGate(
  gate: Gate,
  answer: PersonsAnswer | undefined,
): "ok" | "deniedByUser" | "stepUpFailed" | undefined {
  if (gate === "auto" || answer === "yes") return "ok";
  if (answer === undefined) return undefined;
  return gate === "consent" ? "deniedByUser" : "stepUpFailed";
}

/**
 * Returns the person's answer, or `undefined` if no person is present. The question then stays open, even if the test
 * gives an answer.
 */
function answerIn({ unattended }: Conversation, answer: PersonsAnswer | undefined): PersonsAnswer | undefined {
  return unattended ? undefined : answer;
}

function enter(tables: IndexedTables, scene: Scene, now: Conversation, step: Ask<"enter">): StepOutcome {
  const entered = enterPhase(tables, now, step.phase);
  if (!entered.ok) return { outcome: "refusedByPolicy", reason: entered.reason, rules: [], scene };
  const { gate, rule, conversation } = entered.value;
  const outcome = resolveGate(gate, answerIn(now, step.answer));
  const after = outcome === "ok" ? { ...scene, conversation } : scene;
  return { mode: gate, outcome, reason: `${gate} before phase ${step.phase}`, rules: collectRules(rule), scene: after };
}

function infer(tables: IndexedTables, scene: Scene, now: Conversation, step: Ask<"infer">): StepOutcome {
  const standing = evaluateBackends(tables, now, scene.leases).find(
    ({ backend }) => tables.backends[backend]?.name === step.backend.name,
  );
  if (standing === undefined) {
    return { outcome: "refusedByPolicy", reason: "this session has no such backend", rules: [], scene };
  }
  const { mode, use, reason, backend } = standing;
  if (use === "never") return { ...keepForbidden(mode), outcome: "refusedByPolicy", reason, rules: [], scene };
  const outcome = use === "now" ? "ok" : resolveGate(mode === "consent" ? mode : "stepUp", answerIn(now, step.answer));
  const leases = use === "gated" && outcome === "ok" ? new Set([...scene.leases, backend]) : scene.leases;
  return { mode: use === "now" ? "auto" : mode, outcome, reason, rules: [], scene: { ...scene, leases } };
}

/**
 * Returns the mode of a refused step if it is `forbidden`, and so the reason of the refusal. Otherwise returns no mode,
 * because another check refused the step.
 */
function keepForbidden(mode: string): { mode?: string } {
  return mode === "forbidden" ? { mode } : {};
}

/**
 * Returns the decision that a machine makes. The broker of a machine counts quotas only for calls that the gate lets through. So the gate
 * first decides as if no quota were used.
 */
function decideInOrder(tables: IndexedTables, now: Conversation, step: Ask<"call">): Decision {
  const call = { tool: step.name, arguments: step.arguments };
  const atGate = decideAtGate(tables, { ...now, spent: now.spent.map(() => 0n) }, call);
  return atGate.kind === "refused" ? atGate : decide(tables, now, call);
}

function call(tables: IndexedTables, scene: Scene, now: Conversation, step: Ask<"call">): StepOutcome {
  const decision = decideInOrder(tables, now, step);
  if (decision.kind === "refused") {
    const { outcome, rule, mode } = decision;
    const isFlow = outcome === "refusedByPolicy" && mode !== undefined && rule === undefined;
    const refused = { tool: step.name, arguments: step.arguments, ...scene };
    const words = isFlow ? explainFlow(tables, now, refused) : undefined;
    const reason = words === undefined ? decision.reason : `${decision.reason}: ${words}`;
    return { ...keepForbidden(mode ?? ""), outcome, reason, rules: collectRules(rule), scene };
  }
  const { gate, reason, rule, release } = decision;
  const rules = collectRules(rule, release === undefined ? undefined : tables.releases[release]?.rule);
  const outcome = resolveGate(gate, answerIn(now, step.answer));
  const found = { mode: gate, outcome, reason, rules };
  if (outcome !== "ok")
    return { ...found, scene: { ...scene, conversation: chargePrompts(tables, now, decision, outcome) } };
  const label = findResultLabel(tables, decision.tool, step);
  if (label === undefined)
    return { ...failStep(scene, "the provider never returns that label: it is outside of its declared range"), rules };
  const { conversation } = admit(tables, { ...now, spent: decision.spent }, decision.tool, label);
  const after = { ...scene, reads: [...scene.reads, { tool: step.name, label }] };
  return {
    ...found,
    scene: hear(tables, after, conversation, { step, arguments: decision.arguments, tool: decision.tool }),
  };
}

interface Ran {
  readonly step: Ask<"call">;
  /** Canonical JSON. */
  readonly arguments: string;
  readonly tool: number;
}

/** Returns the state of a test after a call. Adds to the index of sources the data that the call wrote and returned. */
function hear(tables: IndexedTables, scene: Scene, conversation: Conversation, ran: Ran): Scene {
  const tool = tables.tools[ran.tool];
  const args = canonicalizeArguments(ran.arguments);
  if (scene.index === undefined || tool === undefined || !args.ok) return { ...scene, conversation };
  const given = ran.step.giving === undefined ? undefined : readJson(ran.step.giving);
  const { name, provider } = tool;
  if (!tool.readOnly) addWritten(scene.index, provider, args.value.value);
  if (given?.ok === true) {
    const { integrity } =
      ran.step.returning === undefined
        ? tool.result.high
        : resolveLabel(ran.step.returning, tool.result.high.integrity);
    const answer = { tool: name, service: provider, integrity, value: given.value, arguments: args.value.value };
    addResult(scene.index, answer);
  }
  return listen(tables, scene, conversation);
}

/**
 * Returns the conversation after the prompts of a call are charged. A prompt counts even if the person denies the call,
 * but not if the question is still open.
 */
function chargePrompts(
  tables: IndexedTables,
  now: Conversation,
  decision: GatedDecision,
  outcome: string | undefined,
): Conversation {
  if (outcome === undefined) return now;
  const quotas = tables.rows[now.row]?.quotas ?? [];
  const spent = quotas.map(({ unit }, index) => (unit === "prompts" ? decision.spent : now.spent)[index] ?? 0n);
  return { ...now, spent };
}

/** Returns the label of a call's result, or `undefined` if the test states a label that results of this tool cannot have. */
function findResultLabel(tables: IndexedTables, tool: number, { returning }: Ask<"call">): Label | undefined {
  const range = tables.tools[tool]?.result;
  if (range === undefined) return undefined;
  if (returning === undefined) return range.high;
  const stated = resolveLabel(returning, range.high.integrity);
  if (!mayFlow(range.low, { ...stated, integrity: 0 })) return undefined;
  if (!mayFlow(stated, { ...range.high, integrity: 0 })) return undefined;
  return join(range.low, stated);
}
