// Tests that the audit log has no text above the page's limit. Random calls, tasks and plans run through a real gate,
// and the audit's own store writes what the gate records. Each text has a mark of its own, which is looked for in all
// bytes of the disk.
import { hash } from "node:crypto";
import { duplexPair } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { always, check, PUBLIC, row, tool, where } from "../../lib/policy/testing/sample.ts";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import type { Label, PolicyTables } from "../../lib/wire/generated/policy.ts";
import { PlanGate } from "../../lib/wire/generated/service.ts";
import { connect } from "../../lib/wire/index.ts";
import { openStore } from "../audit/opening.ts";
import { FailingDisk } from "../audit/testing/disk.ts";
import { bootIdOf, POLICY_DIGEST } from "../audit/testing/sample.ts";
import { digestText } from "../audit/withheld.ts";
import { Plans } from "./plans.ts";
import { servePlans } from "./serve.ts";
import { callIn, never } from "./testing/calls.ts";
import { type Serve, Stage } from "./testing/stage.ts";

const LABELS: readonly Label[] = [0, 1, 2].flatMap((confidentiality) =>
  [0n, 1n].map((compartments) => ({ confidentiality, integrity: 1, compartments })),
);
const anyLabel = fc.constantFrom(...LABELS);

/**
 * Returns whether a text with this label must not be in the log. This function implements the rule of the page without
 * the gate's code.
 */
function isAbove(label: Label, limit: Label): boolean {
  return label.confidentiality > limit.confidentiality || (label.compartments & ~limit.compartments) !== 0n;
}

const SERVICES = ["notes", "mail"] as const;

/** Returns a page on which a call may be allowed, asked about, signed or refused, and each tool's result has a label of its own. */
function page(results: readonly Label[], starts: Label, limit: Label): Partial<PolicyTables> {
  const [low, high] = [results[0] ?? PUBLIC, results[1] ?? PUBLIC];
  const sink = { confidentiality: 2, integrity: 0, compartments: 1n };
  const clearance = { confidentiality: 2, integrity: 0, compartments: 1n };
  const parameters = [{ name: "what", kind: "text", currency: "" }] as const;
  const rows = [
    row("operator", [2, 3], { starts, clearance }),
    row("operator", [4, 3], { task: "pay", starts, clearance, parameters }),
  ];
  return {
    tools: [
      tool("mail.send", { result: { low, high: low }, networked: true, sink }),
      tool("notes.read", { readOnly: true, result: { low: high, high }, sink }),
    ],
    decisions: [
      { clauses: [where([check("path", "startsWith", "ok")], "auto", "forbidden")], floors: [] },
      { clauses: [always("auto")], floors: [] },
      { clauses: [always("consent")], floors: [] },
    ],
    rows,
    audit: { hasLimit: true, keep: "always", above: { ...limit, integrity: 0 } },
  };
}

type Action =
  | { readonly kind: "loop" | "person"; readonly tool: string; readonly form: "value" | "name" | "broken" | "long" }
  | { readonly kind: "strange"; readonly conversation: "main" | "other" }
  | { readonly kind: "away" | "back" | "take up" | "lapse" | "plan" | "plan refused" | "answer" };

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("loop" as const, "person" as const),
      tool: fc.constantFrom("mail.send", "notes.read"),
      form: fc.constantFrom("value" as const, "name" as const, "broken" as const, "long" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("strange" as const),
      conversation: fc.constantFrom("main" as const, "other" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "away" as const,
        "back" as const,
        "take up" as const,
        "lapse" as const,
        "plan" as const,
        "plan refused" as const,
        "answer" as const,
      ),
    }),
  },
);

type Reply = "ok" | "failed" | "timedOut" | "malformed" | "broken";
const anyReply: fc.Arbitrary<Reply> = fc.constantFrom(
  "ok" as const,
  "failed" as const,
  "timedOut" as const,
  "malformed" as const,
  "broken" as const,
);

interface Script {
  readonly limit: Label;
  readonly starts: Label;
  readonly results: readonly Label[];
  readonly inTask: boolean;
  readonly actions: readonly Action[];
  readonly replies: readonly Reply[];
}

/** A text that contains a unique word (its mark), and whether the log must not contain this text. */
interface Marked {
  readonly mark: string;
  readonly isSecret: boolean;
  /** Whether the record of the text contains the unique word if the text is not secret. */
  readonly isRecorded: boolean;
  /** The whole text, whose plain hash would let a reader of the log test a guess. */
  readonly text: string;
}

class Scene {
  readonly stage: Stage;
  readonly marked: Marked[] = [];
  readonly #limit: Label;
  #count = 0;
  #replies: Reply[];
  #reply: { mark: string; text: string } | undefined;

  constructor({ limit, starts, results, replies }: Script) {
    this.#limit = limit;
    this.#replies = [...replies];
    const serve: Serve = async () => {
      const [mark, kind] = [this.#draw(), this.#replies.shift() ?? "ok"];
      const text = kind === "ok" ? `{"content":"${mark}"}` : kind === "broken" ? `{"${mark}` : mark;
      this.#reply = { mark, text };
      if (kind === "ok" || kind === "broken") return { ok: true, value: text };
      return { ok: false, code: kind, reason: text };
    };
    const said = ["granted", "denied", "granted", "granted", "denied", "granted"] as const;
    this.stage = new Stage({ tables: page(results, starts, limit), serve, services: SERVICES, said });
  }

  #draw(): string {
    this.#count += 1;
    return `mark${String(this.#count).padStart(4, "0")}x`;
  }

  get #isSecret(): boolean {
    return isAbove(this.stage.gate.conversation.label, this.#limit);
  }

  #note(mark: string, text: string, isRecorded: boolean, isSecret = this.#isSecret): void {
    this.marked.push({ mark, text, isRecorded, isSecret });
  }

  /** Notes the answer of a service. The answer has the label that the conversation has after the answer. */
  #noteReply(): void {
    if (this.#reply !== undefined) this.#note(this.#reply.mark, this.#reply.text, false);
    this.#reply = undefined;
  }

  async begin({ inTask }: Script): Promise<void> {
    if (!inTask) return;
    const mark = this.#draw();
    this.#note(mark, JSON.stringify({ what: mark }), true);
    const chosen = [{ name: "what", words: mark, value: { which: "text", text: mark } }] as const;
    expect(await this.stage.gate.moves.beginTask({ task: "pay", chosen, entry: "typed" }, never)).toBeUndefined();
  }

  async play(action: Action): Promise<void> {
    const { gate } = this.stage;
    switch (action.kind) {
      case "loop":
      case "person": {
        const [mark, id] = [this.#draw(), this.#draw()];
        const text = {
          value: `{"path":"ok${mark}"}`,
          name: `{"${mark}":"ok"}`,
          broken: `{"path":"${mark}`,
          long: `{"path":"no${mark}${"y".repeat(5000)}"}`,
        }[action.form];
        this.#note(mark, text, true);
        this.#note(id, id, action.kind === "loop");
        const call = { id, name: action.tool, arguments: text };
        if (action.kind === "person") await gate.personCalls.call(call, never);
        else await this.#propose(call, "main");
        return this.#noteReply();
      }
      case "strange": {
        const [mark, name] = [this.#draw(), this.#draw()];
        const isElsewhere = action.conversation === "other";
        const text = `{"path":"${mark}"}`;
        // The label of another conversation's text is not known, so it counts as the highest.
        const isSecret =
          this.#isSecret ||
          (isElsewhere && isAbove({ confidentiality: 2, integrity: 0, compartments: 3n }, this.#limit));
        this.#note(mark, text, true, isSecret);
        this.#note(name, name, true, isSecret);
        return this.#propose({ id: "1", name: `tool.${name}`, arguments: text }, action.conversation);
      }
      case "away":
        return gate.session.attend("away");
      case "back":
        return gate.session.attend("there");
      case "take up": {
        const [waiting] = gate.personCalls.listWaiting();
        if (waiting !== undefined) await gate.personCalls.takeUp(waiting.number, never);
        return this.#noteReply();
      }
      case "lapse":
        this.stage.ms += 100_000_000;
        gate.personCalls.listWaiting();
        return;
      case "plan": {
        const mark = this.#draw();
        const isBegun = gate.conversation.label;
        const begun = await gate.plans.begin(`read ${mark}`);
        this.#note(mark, `read ${mark}`, begun.ok, isAbove(isBegun, this.#limit));
        return;
      }
      case "plan refused": {
        const mark = this.#draw();
        this.#note(mark, mark, true);
        const [mine, theirs] = duplexPair();
        servePlans(theirs, new Plans(gate, () => 0));
        const words = JSON.stringify({ words: mark });
        await connect(mine).callTool(PlanGate.id, PlanGate.methods.refused.ordinal, words);
        return;
      }
      case "answer": {
        const mark = this.#draw();
        this.#note(mark, mark, false);
        const sha256 = hash("sha256", mark, "buffer");
        this.stage.messages = [{ role: "user", bytes: mark.length, hash: sha256 }];
        gate.session.beginTurn();
        // The second permit ends the answer of the first permit, and the gate records that answer.
        await gate.offering.describe("main");
        await gate.offering.describe("main");
        this.stage.messages = [];
        return;
      }
    }
  }

  async #propose(call: { id: string; name: string; arguments: string }, conversation: string): Promise<void> {
    const { gate } = this.stage;
    gate.session.beginTurn();
    const described = await gate.offering.describe("main");
    const [turn, snapshot] = described.ok ? [described.value.turn, described.value.snapshot] : [0, new Uint8Array()];
    await gate.loopCalls.invoke({ conversation, turn, snapshot, call }, never);
  }
}

/** Returns the bytes of a disk on which the audit has written these entries. */
async function write(entries: readonly AuditEntry[]): Promise<Buffer> {
  const disk = new FailingDisk();
  const time = () => ({ monotonicMs: 5n, wallMs: 6n, wallSource: "rtc" });
  const boot = {
    systemId: "sample",
    version: "1.0.0",
    bootId: bootIdOf(1),
    policyDigest: POLICY_DIGEST,
    writer: "audit",
    time,
  };
  const store = await openStore(disk.plugged(), boot);
  if (!store.ok) throw new Error(store.reason);
  // Raise the numbers of intents by 2: the gate's stub numbers records from 1, but this store has a boot record and a seal before them.
  for (const entry of entries) {
    const written = await store.value.append("gate.operator", moveIntent(entry, 2n));
    expect(written).toMatchObject({ ok: true });
  }
  return disk.bytes;
}

function moveIntent(entry: AuditEntry, by: bigint): AuditEntry {
  if (entry.which !== "outcome" || entry.outcome.intent === 0n) return entry;
  return { which: "outcome", outcome: { ...entry.outcome, intent: entry.outcome.intent + by } };
}

const anyScript: fc.Arbitrary<Script> = fc.record({
  limit: anyLabel,
  starts: anyLabel,
  results: fc.tuple(anyLabel, anyLabel),
  inTask: fc.boolean(),
  actions: fc.array(anyAction, { maxLength: 8 }),
  replies: fc.array(anyReply, { maxLength: 8 }),
});

test("no byte of the log is from a text above the log's label limit, and recorded text up to the limit is in the log", async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyScript, async (script) => {
      const scene = new Scene(script);
      await scene.begin(script);
      for (const action of script.actions) await scene.play(action);
      await scene.stage.gate.stop();
      const bytes = await write(scene.stage.entries);
      for (const { mark, text, isSecret, isRecorded } of scene.marked) {
        met.add(`${isSecret ? "secret" : "kept"} ${isRecorded ? "recorded" : "perhaps recorded"}`);
        if (isSecret) expect([mark, bytes.includes(mark)]).toEqual([mark, false]);
        if (isSecret) expect([text, bytes.includes(hash("sha256", text, "buffer"))]).toEqual([text, false]);
        if (!isSecret && isRecorded) expect([mark, bytes.includes(mark)]).toEqual([mark, true]);
      }
      for (const entry of scene.stage.entries)
        met.add(`${entry.which} ${isWithholding(entry) ? "withholds" : "keeps"}`);
    }),
    { numRuns: 150 },
  );
  // Without this comparison, the test would pass for a gate that records nothing.
  expect([...met].sort()).toEqual(
    [
      ...["kept recorded", "kept perhaps recorded", "secret recorded", "secret perhaps recorded"],
      ...["intent", "outcome", "session", "inference"].flatMap((kind) => [`${kind} keeps`, `${kind} withholds`]),
    ].sort(),
  );
});

function isWithholding(entry: AuditEntry): boolean {
  if (entry.which === "session") return entry.session.digest.length > 0;
  if (entry.which === "inference") return entry.inference.isWithheld;
  return callIn(entry).isWithheld;
}

const SECRET_START = { starts: { ...PUBLIC, confidentiality: 2 }, limit: { ...PUBLIC, confidentiality: 1 } };

test("the audit turns the digest of withheld arguments into a digest under the key of its log", async () => {
  const stage = new Stage({
    tables: page([PUBLIC, PUBLIC], SECRET_START.starts, SECRET_START.limit),
    services: SERVICES,
  });
  const call = { id: "1", name: "mail.send", arguments: '{ "path": "ok" }' };
  await stage.gate.personCalls.call(call, never);
  const [intent, outcome] = stage.entries.map(callIn);
  const canonical = '{"path":"ok"}';
  expect([intent, outcome]).toMatchObject([
    { arguments: "", isWithheld: true },
    { arguments: "", isWithheld: true },
  ]);
  expect(intent?.argumentsHash).toEqual(new Uint8Array(hash("sha256", canonical, "buffer")));
  expect(outcome?.argumentsHash).toEqual(intent?.argumentsHash);
  const bytes = await write(stage.entries);
  // The digest key follows the seed in the last block (key-block.ts).
  const key = bytes.subarray(-512 + 48, -512 + 80);
  expect(bytes.includes(Buffer.from(digestText(key, "arguments", canonical)))).toBe(true);
});

test("the log keeps a refusal in the words of the page, and withholds an error that quotes the arguments", async () => {
  const stage = new Stage({
    tables: page([PUBLIC, PUBLIC], SECRET_START.starts, SECRET_START.limit),
    services: SERVICES,
  });
  await stage.gate.personCalls.call({ id: "1", name: "mail.send", arguments: '{"path":"no"}' }, never);
  await stage.gate.personCalls.call({ id: "2", name: "mail.send", arguments: '{"strange":"no"}' }, never);
  await stage.gate.personCalls.call({ id: "3", name: "nothing.here", arguments: "{}" }, never);
  const [forbidden, misfit, unknown] = stage.entries.map(callIn);
  expect(forbidden).toMatchObject({
    error: 'forbidden in this session by "the first line"',
    isWithheld: true,
  });
  expect(misfit).toMatchObject({ outcome: "invalidArguments", error: "", callId: "withheld" });
  expect(misfit?.errorHash).toHaveLength(32);
  expect(unknown).toMatchObject({ outcome: "unknownTool", descriptor: { name: "withheld" } });
});

test("records contain the full arguments if the page sets no label limit, or if the label is not above the limit", async () => {
  for (const limit of [undefined, { ...PUBLIC, confidentiality: 2, integrity: 0 }]) {
    const own = page([PUBLIC, PUBLIC], PUBLIC, PUBLIC);
    const none = { hasLimit: false, keep: "always" as const, above: { ...PUBLIC, integrity: 0 } };
    const tables = {
      ...own,
      audit: limit === undefined ? none : { hasLimit: true, keep: "always" as const, above: limit },
    };
    const stage = new Stage({ tables, services: SERVICES });
    await stage.gate.personCalls.call({ id: "1", name: "mail.send", arguments: '{"path":"ok"}' }, never);
    const nothing = {
      argumentsHash: new Uint8Array(),
      isWithheld: false,
      isResultWithheld: false,
      errorHash: new Uint8Array(),
    };
    for (const entry of stage.entries)
      expect(callIn(entry)).toMatchObject({ arguments: '{"path":"ok"}', callId: "1", ...nothing });
  }
});

test("the loop cannot choose the name of its conversation if the log has a label limit", async () => {
  const limited = new Stage({ tables: page([PUBLIC, PUBLIC], PUBLIC, PUBLIC), services: SERVICES });
  limited.gate.session.beginTurn();
  const told = "this gate keeps one conversation, and it is another";
  expect(await limited.gate.offering.describe("a-secret")).toEqual({ ok: false, reason: told });
  expect((await limited.gate.offering.describe("main")).ok).toBe(true);
});

test("a parked call is recorded without its id, and without its arguments, when it is parked, resumed and expired", async () => {
  const { starts, limit } = SECRET_START;
  const stage = new Stage({ tables: page([PUBLIC, PUBLIC], starts, limit), services: SERVICES, said: ["granted"] });
  const { gate } = stage;
  const chosen = [{ name: "what", words: "w", value: { which: "text", text: "w" } }] as const;
  expect(await gate.moves.beginTask({ task: "pay", chosen, entry: "typed" }, never)).toBeUndefined();
  await gate.session.attend("away");
  for (const [id, path] of [
    ["mark1", "ok1"],
    ["mark2", "ok2"],
  ] as const) {
    gate.session.beginTurn();
    const { turn, snapshot } = await stage.described();
    const call = { id, name: "mail.send", arguments: JSON.stringify({ path }) };
    await gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call }, never);
  }
  expect(gate.personCalls.listWaiting()).toHaveLength(2);
  await gate.personCalls.takeUp(1, never);
  stage.ms += 100_000_000;
  const noted = stage.until("session");
  gate.personCalls.listWaiting();
  await noted;
  const events = stage.entries.flatMap((one) => (one.which === "session" ? [one.session] : []));
  expect(events.filter(({ event }) => event.startsWith("parked")).map(({ detail }) => detail)).toEqual([
    "1: mail.send, call withheld in turn 1 of main",
    "2: mail.send, call withheld in turn 2 of main",
  ]);
  const bytes = await write(stage.entries);
  for (const text of ["mark1", "mark2", "ok1", "ok2"]) expect([text, bytes.includes(text)]).toEqual([text, false]);
});

const SECRET_RESULTS = page([PUBLIC, { ...PUBLIC, confidentiality: 2 }], PUBLIC, { ...PUBLIC, confidentiality: 1 });

test("a parked call keeps its label when it expires in another conversation", async () => {
  const stage = new Stage({ tables: SECRET_RESULTS, services: SERVICES });
  const { gate } = stage;
  const chosen = [{ name: "what", words: "w", value: { which: "text", text: "w" } }] as const;
  expect(await gate.moves.beginTask({ task: "pay", chosen, entry: "typed" }, never)).toBeUndefined();
  await gate.session.attend("away");
  for (const [id, name] of [
    ["1", "notes.read"],
    ["mark2", "mail.send"],
  ] as const) {
    gate.session.beginTurn();
    const { turn, snapshot } = await stage.described();
    await gate.loopCalls.invoke(
      { conversation: "main", turn, snapshot, call: { id, name, arguments: '{"path":"ok"}' } },
      never,
    );
  }
  expect(gate.personCalls.listWaiting()).toHaveLength(1);
  await gate.moves.switchTo(async () => gate.moves.openNew("other"));
  expect(gate.conversation.label.confidentiality).toBe(0);
  stage.ms += 100_000_000;
  const noted = stage.until("session");
  gate.personCalls.listWaiting();
  await noted;
  const events = stage.entries.flatMap((one) => (one.which === "session" ? [one.session] : []));
  expect(events.at(-1)).toMatchObject({
    event: "parked call lapsed",
    detail: "1: mail.send, call withheld in turn 2 of main",
  });
});

test("a parked call is resumed under the id of its record, even if the label has risen above the limit since", async () => {
  const stage = new Stage({ tables: SECRET_RESULTS, services: SERVICES, said: ["granted"] });
  const { gate } = stage;
  const chosen = [{ name: "what", words: "w", value: { which: "text", text: "w" } }] as const;
  expect(await gate.moves.beginTask({ task: "pay", chosen, entry: "typed" }, never)).toBeUndefined();
  await gate.session.attend("away");
  gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  const call = { id: "mark1", name: "mail.send", arguments: '{"path":"ok"}' };
  await gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call }, never);
  await gate.personCalls.call({ id: "2", name: "notes.read", arguments: '{"path":"ok"}' }, never);
  await gate.personCalls.takeUp(1, never);
  const events = stage.entries.flatMap((one) => (one.which === "session" ? [one.session] : []));
  expect(events.at(-1)).toMatchObject({
    event: "parked call taken up",
    detail: "1: mail.send, call withheld in turn 1 of main",
  });
  const outcomes = stage.entries.flatMap((entry) => (entry.which === "outcome" ? [callIn(entry).callId] : []));
  expect(outcomes).toEqual(["mark1", "2", "withheld"]);
});

test("a call that waits for a result above the limit is recorded at the label of that result", async () => {
  const stage = new Stage({ tables: SECRET_RESULTS, services: SERVICES });
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  const calls = ["notes.read", "mail.send"].map((name) => {
    const call = { id: name, name, arguments: '{"path":"ok"}' };
    return stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call }, never);
  });
  await Promise.all(calls);
  const outcomes = stage.entries.flatMap((entry) => (entry.which === "outcome" ? [callIn(entry)] : []));
  expect(outcomes).toMatchObject([
    { descriptor: { name: "notes.read" }, isWithheld: false, isResultWithheld: true },
    { descriptor: { name: "mail.send" }, isWithheld: true, isResultWithheld: true },
  ]);
});
