// Tests calls as a state machine: real gates with a real broker and a disk, checked against a few simple laws. Turns, calls, answers,
// revocations and clock jumps come in any order, and the machine may die at any request of its gate.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mayFlow } from "../../lib/policy/index.ts";
import { always, backend, CANNED, PUBLIC, row, SECRET, tables, tool } from "../../lib/policy/testing/sample.ts";
import type { AuditEntry, CallRecord } from "../../lib/wire/generated/audit.ts";
import type { ToolResult } from "../../lib/wire/generated/capos.ts";
import type { PolicyTables, Row } from "../../lib/wire/generated/policy.ts";
import type { Question } from "../../lib/wire/generated/wire.ts";
import { quota } from "../broker/quotas/testing/quota-ledgers.ts";
import type { Gate } from "./gate.ts";
import { never } from "./testing/calls.ts";
import { Machine, type Run, type Saying } from "./testing/machine.ts";

/** Number of runs, each of many steps; set RUNS for more. A failure prints its seed. */
const RUNS = Number(process.env["RUNS"] ?? 90);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Errors of the wall clock in milliseconds: two days behind, correct, and two days ahead. */
const CLOCKS = [-2 * DAY_MS, 0, 2 * DAY_MS] as const;
const PER_TURN = 3;
const PROMPTS_PER_TURN = 4;
const PER_PERSON = 9;
const PER_DAY = 4;
const SEEN = { ...PUBLIC, confidentiality: 1 };

const MODES = {
  "notes.add": "auto",
  "notes.burn": "forbidden",
  "notes.read": "auto",
  "notes.sign": "stepUp",
  "notes.write": "consent",
} as const;
type Name = keyof typeof MODES;
const NAMES = Object.keys(MODES) as readonly Name[];

/**
 * Returns a page on which `notes.read` raises the label but has no effect, so its calls need no record before they are
 * sent. `notes.add` has an effect, although the page declares that it only reads. A person's approval opens the only
 * backend, and another approval begins a task.
 */
function page(publicKey: string): PolicyTables {
  const limits = [
    `${PER_TURN} calls per turn`,
    `${PROMPTS_PER_TURN} prompts per turn`,
    `${PER_PERSON} calls per principal`,
    `${PER_DAY} calls per day`,
  ];
  const rules = limits.map((words, index) => ({ id: String(index), words, place: `a.cap:${index + 1}:1` }));
  const cells = NAMES.map((_, index) => index + 2);
  const changes: Partial<Row> = {
    quotas: limits.map((words, rule) => ({ ...quota(words), rule })),
    principals: [0],
    remember: "conversation",
    backends: [{ backend: 0, mode: "consent" }],
  };
  const inTask = { task: "triage", phase: "look", entry: "consent" as const, entryRule: 1 };
  return tables({
    rules,
    tools: NAMES.map((name, method) =>
      tool(name, {
        method,
        // The program of the page declares that notes.add only reads, although it adds.
        readOnly: ["notes.read", "notes.add"].includes(name),
        pageProgram: name === "notes.add",
        result: { low: PUBLIC, high: name === "notes.read" ? SEEN : PUBLIC },
      }),
    ),
    decisions: NAMES.map((name) => ({ clauses: [always(MODES[name])], floors: [] })),
    rows: [row("operator", cells, changes), row("operator", cells, { ...changes, ...inTask })],
    principals: [{ name: "alice", keys: [publicKey], passphrase: "" }],
    backends: [backend(CANNED, { clearance: { ...SECRET, integrity: 0 } })],
  });
}

type Step =
  | { readonly kind: "propose" | "direct"; readonly tool: Name }
  | { readonly kind: "turn" | "task" | "away" | "back" | "takeBack" | "interrupt" }
  | { readonly kind: "takeUp"; readonly number: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "jump"; readonly clock: number };

/** A step, people's answers to its questions, and the fault that occurs in it. */
interface Move {
  readonly step: Step;
  readonly said: readonly Saying[];
  readonly fault:
    | { readonly kind: "none" }
    | { readonly kind: "lost"; readonly reply: string }
    /**
     * The number of the request at which the machine dies, counted from this step. After its death the machine restarts, and its
     * wall clock is off by `clock`.
     */
    | { readonly kind: "dies"; readonly in: number; readonly isHeard: boolean; readonly clock: number };
}

const anyClock = fc.constantFrom(...CLOCKS);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom("propose", "direct"), tool: fc.constantFrom(...NAMES) }) },
  { weight: 4, arbitrary: fc.constant({ kind: "turn" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("takeUp" as const), number: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("task", "away", "back", "takeBack", "interrupt") }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1, 60_000, HOUR_MS - 1, HOUR_MS) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("jump" as const), clock: anyClock }) },
);
const REPLIES = ["reserve", "settle", "prove", "remember", "recall", "keep", "infer"].map((name) => `broker.${name}`);
const anyMove: fc.Arbitrary<Move> = fc.record({
  step: anyStep,
  said: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<Saying>("granted", "grantedForConversation") },
      { weight: 2, arbitrary: fc.constantFrom<Saying>("denied", "timedOut", "cancelled", "signs with another key") },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  fault: fc.oneof(
    { weight: 7, arbitrary: fc.constant({ kind: "none" as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("lost" as const), reply: fc.constantFrom("audit.append", ...REPLIES) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("dies" as const),
        in: fc.integer({ min: 1, max: 16 }),
        isHeard: fc.boolean(),
        clock: anyClock,
      }),
    },
  ),
});

/** A person's consent to more than one call; `tool` is `/model` if it opens the backend. */
interface Word {
  readonly tool: string;
  readonly place: string;
  readonly untilMs: number;
}

/** A simulated machine with its expected state, which is tracked without queries to the machine. */
class Play {
  readonly machine = new Machine();
  readonly #page = page(this.machine.key.line);
  run: Run;
  #words: Word[] = [];
  /** Questions to people with their answers, since the start of the test. */
  readonly #answers: { readonly tool: string; readonly arguments: string; readonly said: Saying | undefined }[] = [];
  /** Questions and effects of each turn of this run. */
  readonly #inTurn = new Map<string, { asked: number; ran: number }>();
  #seen = false;
  #calls = 0;
  #judged = { effects: 0, answers: 0 };
  /** Wall clock at the start of the test; `#clock` is its error now. */
  readonly #wallMs = this.machine.world.wallMs;
  #clock = 0;
  /** Errors of the wall clock at starts of the machine; each error begins a separate day for quotas. */
  readonly #days = new Set([0]);

  constructor() {
    this.run = this.#start("main");
  }

  /** `name`: name of the conversation that the run begins with. */
  #start(name: string): Run {
    const run = this.machine.start(this.#page);
    run.gate.nameAs(name);
    run.heard = (question, saying) => this.#heard(question, saying);
    return run;
  }

  get #gate(): Gate {
    return this.run.gate;
  }

  /** Properties to which a consent is bound. All turns belong to one conversation, and a consent applies in all of them. */
  get #place(): string {
    const { label } = this.#gate.conversation;
    return JSON.stringify([this.#gate.row, label.confidentiality, label.integrity, String(label.compartments)]);
  }

  get #turn() {
    const turn = this.#inTurn.get(`${this.#gate.place.turn}`) ?? { asked: 0, ran: 0 };
    this.#inTurn.set(`${this.#gate.place.turn}`, turn);
    return turn;
  }

  #heard({ tool: name, arguments: args }: Question, said: Saying | undefined): void {
    this.#answers.push({ tool: name, arguments: args, said });
    this.#turn.asked += 1;
    const isWord = said === "grantedForConversation" || (said === "granted" && name === "/model");
    if (isWord) this.#words.push({ tool: name, place: this.#place, untilMs: this.machine.world.ms + HOUR_MS });
  }

  #holds(name: string): boolean {
    const { ms } = this.machine.world;
    return this.#words.some((word) => word.tool === name && word.place === this.#place && word.untilMs > ms);
  }

  async make({ step, said, fault }: Move): Promise<void> {
    const { run } = this;
    run.said = [...said];
    if (fault.kind === "lost") run.lost.add(fault.reply);
    if (fault.kind === "dies") run.death = { at: run.requests.length + fault.in, isHeard: fault.isHeard };
    const places = this.#words.length;
    const before = new Map(["/model", ...NAMES].map((name) => [name, this.#holds(name)]));
    await Promise.race([this.#take(step), run.died]);
    run.lost.clear();
    run.death = undefined;
    const given = this.#words.slice(places).map(({ tool: name }) => name);
    this.#judge((name) => before.get(name) === true || given.includes(name));
    if (run.isDead) this.reached.add(run.requests.at(-1) ?? "");
    if (run.isDead) await this.#startAgain(fault.kind === "dies" ? fault.clock : this.#clock);
  }

  async #take(step: Step): Promise<void> {
    const gate = this.#gate;
    switch (step.kind) {
      case "turn":
        gate.session.beginTurn();
        return;
      case "propose":
        return this.#propose(step.tool);
      case "direct":
        return this.#told(step.tool, await gate.personCalls.call(this.#call(step.tool), never));
      case "takeUp": {
        const taken = await gate.personCalls.takeUp(step.number, never);
        const [waiting] = this.#parked.splice(step.number - 1, taken.ok ? 1 : 0, undefined);
        if (taken.ok) this.reached.add(`parked ${taken.value.outcome}`);
        if (taken.ok) this.#told(waiting ?? "notes.write", taken.value);
        return;
      }
      case "task":
        await gate.moves.beginTask({ task: "triage", chosen: [], entry: "typed" }, never);
        return;
      case "away":
      case "back":
        return gate.session.attend(step.kind === "away" ? "away" : "there");
      case "takeBack":
        return this.#takeBack();
      case "interrupt":
        gate.interrupt();
        return;
      case "wait":
        this.machine.world.ms += step.ms;
        return this.#setClock(this.#clock);
      case "jump":
        if (step.clock !== this.#clock) this.reached.add("jumped");
        return this.#setClock(step.clock);
    }
  }

  #setClock(clock: number): void {
    const { world } = this.machine;
    this.#clock = clock;
    world.wallMs = this.#wallMs + world.ms + clock;
  }

  /**
   * Calls that the page's quota per day allows in the whole test. If the clock is ahead at a start, the quota of a future day can be used,
   * but only once, however often the clock changes. If the clock is behind, the quota of an earlier day can be used only if nothing was
   * counted before. A jump of the clock during a run gives no further calls.
   */
  get #perDays(): number {
    return PER_DAY * this.#days.size * (1 + Math.floor(this.machine.world.ms / DAY_MS));
  }

  /** Names of the parked calls, by number from 1. */
  #parked: (Name | undefined)[] = [];

  async #propose(name: Name): Promise<void> {
    const described = await this.#gate.offering.describe("main");
    if (!described.ok) return;
    const isAway = this.#gate.conversation.unattended;
    const asked = this.run.questions.length;
    const { turn, snapshot } = described.value;
    const result = await this.#gate.loopCalls.invoke(
      { conversation: "main", turn, snapshot, call: this.#call(name) },
      never,
    );
    if (isAway) expect(this.run.questions.length).toBe(asked);
    const [, number] = /waits for a person as number (\d+)/.exec(result.error) ?? [];
    if (number !== undefined) this.#parked[Number(number) - 1] = name;
    this.#told(name, result);
  }

  #takeBack(): void {
    const { gate } = this.run;
    const taken = this.run.desks.get("operator")?.consents.takeBack(0) ?? [];
    gate.calls.withdraw(taken);
    this.#words = [];
  }

  /** Returns a call that equals no earlier call, so that a repeated effect is detected. */
  #call(name: Name) {
    this.#calls += 1;
    return { id: `c${this.#calls}`, name, arguments: `{"path":"${this.#calls}"}` };
  }

  /**
   * Checks that each returned result is recorded; there may be records of further results. The label is never below the
   * label of a returned result.
   */
  #told(name: Name, { callId, outcome }: ToolResult): void {
    const ends = this.#records("outcome").filter((record) => record.callId === callId);
    expect(ends.length).toBeGreaterThan(0);
    const isTold = (end: CallRecord) => end.outcome === "ok" && end.sent !== end.intent > 0n;
    if (outcome === "ok") expect(ends.filter(isTold).length).toBe(1);
    // Only reads are sent without an intent, and their single record holds the content of an intent.
    for (const end of ends.filter(({ sent }) => sent)) expect([name, end.decision]).toEqual(["notes.read", "auto"]);
    this.#seen ||= outcome === "ok" && name === "notes.read";
    if (this.#seen) expect(mayFlow(SEEN, this.#gate.conversation.label)).toBe(true);
  }

  #records(which: "intent" | "outcome"): readonly CallRecord[] {
    return this.machine.records.flatMap((entry) => {
      if (entry.which === "intent" && which === "intent") return [entry.intent];
      return entry.which === "outcome" && which === "outcome" ? [entry.outcome] : [];
    });
  }

  /** `held`: returns whether a person's consent covered calls of this tool before the step, or was given in the step. */
  #judge(held: (name: string) => boolean): void {
    const { effects, answered, records } = this.machine;
    for (const effect of effects.slice(this.#judged.effects)) {
      // The record is on the disk before the call is sent. A local read has one record, which is written with the
      // outcome, and is missing if the machine died before.
      const before = effect.tool === "notes.read" ? records : records.slice(0, effect.records);
      const found = before.flatMap((entry) => recordOf(entry)).find((one) => one.arguments === effect.arguments);
      if (effect.tool !== "notes.read" || found !== undefined) expect(found?.descriptor.name).toBe(effect.tool);
      if (found !== undefined) this.#passed(found, held);
      this.reached.add(found === undefined ? "unrecorded" : `${found.decision} ${effect.tool}`);
      this.#turn.ran += 1;
    }
    if (answered.length > this.#judged.answers) expect(held("/model")).toBe(true);
    this.#judged = { effects: effects.length, answers: answered.length };
    expect(new Set(effects.map((effect) => effect.arguments)).size).toBe(effects.length);
    expect(effects.length).toBeLessThanOrEqual(Math.min(PER_PERSON, this.#perDays));
    if (effects.length === PER_DAY) this.reached.add("a day's quota");
    if (effects.length > PER_DAY) this.reached.add("another day's quota");
    expect(this.#turn.ran).toBeLessThanOrEqual(PER_TURN);
    expect(this.#turn.asked).toBeLessThanOrEqual(PROMPTS_PER_TURN);
  }

  /** Situations that occurred in any run; a check proves nothing about a situation that never occurs. */
  readonly reached = new Set<string>();

  /** Checks that the call passed its gate, by an approval of this call or by a consent that covers the call. */
  #passed({ descriptor, arguments: args, decision, principal }: CallRecord, held: (name: string) => boolean): void {
    const asked = this.#answers.find((answer) => answer.tool === descriptor.name && answer.arguments === args);
    switch (decision) {
      case "auto":
        expect(["notes.read", "notes.add"]).toContain(descriptor.name);
        return;
      case "consented":
        expect(descriptor.name).toBe("notes.write");
        expect(["granted", "grantedForConversation"]).toContain(asked?.said);
        return;
      case "remembered":
        expect([descriptor.name, asked, held(descriptor.name)]).toEqual(["notes.write", undefined, true]);
        return;
      case "stepUpSucceeded":
        expect([descriptor.name, asked?.said, principal]).toEqual(["notes.sign", "granted", "alice"]);
        return;
      default:
        expect.unreachable(`${descriptor.name} ran, ${decision}`);
    }
  }

  /** Restarts the machine. The restart causes no effect. Consents and waiting calls are gone, and the label is not lower than before. */
  async #startAgain(clock: number): Promise<void> {
    const before = structuredClone(this.machine.effects);
    this.#setClock(clock);
    if (clock > 0 || before.length === 0) this.#days.add(clock);
    this.#words = [];
    this.#parked = [];
    this.#inTurn.clear();
    this.run = this.#start("first");
    const { gate } = this.run;
    expect(await gate.moves.switchTo(() => gate.moves.openStanding("main", "main"))).toBeUndefined();
    expect(isDeepStrictEqual(this.machine.effects, before)).toBe(true);
    if (this.#seen) expect(mayFlow(SEEN, this.#gate.conversation.label)).toBe(true);
  }
}

/**
 * Returns the record that was written for a call that was sent: its intent or, for a read without an intent, its only
 * record.
 */
function recordOf(entry: AuditEntry): readonly CallRecord[] {
  if (entry.which === "intent") return [entry.intent];
  return entry.which === "outcome" && entry.outcome.sent ? [entry.outcome] : [];
}

const move = (step: Step, ...said: readonly Saying[]): Move => ({ step, said, fault: { kind: "none" } });
const begun = [move({ kind: "task" }, "granted"), move({ kind: "turn" })];
/** First steps of a run: in a task, two calls are proposed while no person is present, and wait for a person. */
const left = [
  ...begun,
  move({ kind: "propose", tool: "notes.burn" }, "granted"),
  move({ kind: "away" }),
  move({ kind: "propose", tool: "notes.write" }),
  move({ kind: "propose", tool: "notes.sign" }),
];
const anyMoves: fc.Arbitrary<readonly Move[]> = fc
  .tuple(fc.constantFrom([], begun, left), fc.array(anyMove, { minLength: 30, maxLength: 60 }))
  .map(([first, rest]) => [...first, ...rest]);

/** Events that must occur in some run: deaths of the machine during each kind of request, decisions, outcomes and used-up quotas. */
const REACHED = [
  ...["auto notes.add", "auto notes.read", "unrecorded", "consented notes.write", "remembered notes.write"],
  ...["stepUpSucceeded notes.sign", "parked ok", "parked deniedByUser"],
  ...["jumped", "a day's quota", "another day's quota"],
  ...[
    "audit.append",
    "audit.status",
    "broker.challenge",
    "broker.infer",
    "broker.keep",
    "broker.prove",
    "broker.recall",
  ],
  ...["broker.remember", "broker.reserve", "broker.settle", "model.allow", "model.withdraw", "person", "service"],
];

test("no call runs twice, or without its gate and record, no quota is exceeded and no label drops, wherever the machine dies", async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyMoves, async (moves) => {
      const play = new Play();
      for (const move of moves) await play.make(move);
      for (const one of play.reached) reached.add(one);
    }),
    { numRuns: RUNS },
  );
  expect(REACHED.filter((one) => !reached.has(one))).toEqual([]);
});
