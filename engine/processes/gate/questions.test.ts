// Tests whom a gate asks, how often it asks, and what a refusal causes.
import { expect, test } from "vitest";
import { check, PUBLIC, row, SECRET, tool, where } from "../../lib/policy/testing/sample.ts";
import { CALL, callIn, direct, propose, staged } from "./testing/calls.ts";
import { Stage } from "./testing/stage.ts";

/** A page with two tools of one service, whose calls need the same gate. */
const TWO_TOOLS = {
  tools: [tool("notes.write"), tool("notes.zip")],
  rows: [row("operator", [2, 2])],
};

for (const mode of ["consent", "stepUp"] as const) {
  for (const said of ["denied", "mistyped", "timedOut"] as const) {
    test(`a ${mode} question that was ${said} is not asked again in the turn; the next turn may ask`, async () => {
      const stage = staged(mode, { said: [said, "granted"] });
      stage.gate.session.beginTurn();
      const first = await propose(stage);
      expect([(await propose(stage)).outcome, stage.questions.length]).toEqual([first.outcome, 1]);
      expect(callIn(stage.entries[1]).decision).toBe(mode === "consent" ? "denied" : "stepUpFailed");
      stage.gate.session.beginTurn();
      expect((await propose(stage)).outcome).toBe("ok");
    });
  }

  test(`a ${mode} question that was stopped may be asked again`, async () => {
    const stage = staged(mode, { said: ["cancelled", "granted"] });
    stage.gate.session.beginTurn();
    expect([(await propose(stage)).outcome, (await propose(stage)).outcome]).toEqual(["cancelled", "ok"]);
  });

  test(`a ${mode} question that was denied for some arguments is still asked for other arguments`, async () => {
    const stage = staged(mode, { said: ["denied", "granted"] });
    stage.gate.session.beginTurn();
    await propose(stage);
    expect((await propose(stage, { ...CALL, arguments: '{"path":"b"}' })).outcome).toBe("ok");
  });
}

for (const mode of ["consent", "stepUp"] as const) {
  test(`with ${mode}, after three denials a tool's calls are not asked about again in the turn, whatever their arguments`, async () => {
    const stage = staged(mode, { said: ["denied", "timedOut", "denied", "granted", "granted"], tables: TWO_TOOLS });
    stage.gate.session.beginTurn();
    const write = (path: string, name = "notes.write") =>
      propose(stage, { ...CALL, name, arguments: JSON.stringify({ path }) });
    for (const path of ["a", "b", "c"]) await write(path);
    expect(await write("d")).toMatchObject({
      outcome: mode === "consent" ? "deniedByUser" : "stepUpFailed",
      error: "notes.write was denied 3 times in this turn; nobody is asked about it again before the next",
    });
    expect([stage.questions.length, stage.steps.filter((step) => step.startsWith("reserve")).length]).toEqual([3, 3]);
    expect(callIn(stage.entries.at(-1)).decision).toBe(mode === "consent" ? "denied" : "stepUpFailed");
    expect((await write("d", "notes.zip")).outcome).toBe("ok");
    stage.gate.session.beginTurn();
    expect((await write("d")).outcome).toBe("ok");
  });
}

test("a call without a question runs even after three denials", async () => {
  const decisions = [{ clauses: [where([check("path", "equal", "free")], "auto", "consent")], floors: [] }];
  const stage = new Stage({ said: ["denied", "denied", "denied"], tables: { decisions } });
  stage.gate.session.beginTurn();
  for (const path of ["a", "b", "c"]) await propose(stage, { ...CALL, arguments: JSON.stringify({ path }) });
  expect((await propose(stage, { ...CALL, arguments: '{"path":"free"}' })).outcome).toBe("ok");
});

test("asks at most twelve questions per turn; the next turn has twelve of its own", async () => {
  const said = Array<"granted">(14).fill("granted");
  const stage = staged("consent", { said });
  stage.gate.session.beginTurn();
  for (let count = 0; count < 12; count += 1) expect((await propose(stage)).outcome).toBe("ok");
  expect(await propose(stage)).toMatchObject({
    outcome: "refusedByPolicy",
    error: "12 questions were asked in this turn; a page may set another number",
  });
  expect(stage.questions).toHaveLength(12);
  expect((await propose(stage, { ...CALL, name: "notes.none" })).outcome).toBe("unknownTool");
  stage.gate.session.beginTurn();
  expect((await propose(stage)).outcome).toBe("ok");
});

test("a page's quota of prompts per turn replaces the limit of twelve questions, but a quota of another scope does not", async () => {
  for (const [scope, asked] of [
    ["turn", 14],
    ["hour", 12],
  ] as const) {
    const quotas = [{ amount: 100n, unit: "prompts", name: "", scope, rule: 0 }] as const;
    const rows = [row("operator", [2], { quotas })];
    const stage = staged("consent", { said: Array<"granted">(14).fill("granted"), tables: { rows } });
    stage.gate.session.beginTurn();
    for (let count = 0; count < 14; count += 1) await propose(stage);
    expect([scope, stage.questions.length]).toEqual([scope, asked]);
  }
});

test("a wrong proof can be retried", async () => {
  const stage = staged("stepUp", { said: ["granted", "granted"] });
  stage.principal = "";
  stage.gate.session.beginTurn();
  expect((await propose(stage)).outcome).toBe("stepUpFailed");
  stage.principal = "alice";
  expect((await propose(stage)).outcome).toBe("ok");
});

test("a question names the else part of a forbidding rule if that part decided", async () => {
  const words = 'forbidden notes.write where path under "/locked" else consent';
  const decisions = [
    {
      clauses: [
        {
          conditions: [check("path", "under", "/locked")],
          met: "forbidden",
          otherwise: "consent",
          rule: 0,
          group: 0,
        } as const,
      ],
      floors: [],
    },
  ];
  const rules = [
    { id: "first", words, place: "a.cap:1:1" },
    { id: "second", words: "the second line", place: "a.cap:2:1" },
  ];
  const stage = staged("consent", { said: ["granted"], tables: { decisions, rules } });
  expect((await direct(stage)).outcome).toBe("ok");
  expect(stage.questions).toMatchObject([{ rule: `the else of ${words} (a.cap:1:1)` }]);
});

test.each([
  ["granted", "consented"],
  ["denied", "denied"],
] as const)(
  "if a call needs a release, its records name the release, even if the answer is %s",
  async (said, decision) => {
    const release = { tools: [0], act: "declassify", from: SECRET, to: PUBLIC, gate: "consent", rule: 1 } as const;
    const tables = {
      tools: [tool("notes.write", { sink: PUBLIC })],
      rows: [row("operator", [2], { starts: SECRET, releases: [0] })],
      releases: [release],
    };
    const stage = staged("auto", { tables, said: [said] });
    await direct(stage);
    const [first] = stage.entries;
    const rule = stage.gate.parts.tables.rules[1]?.id;
    for (const entry of stage.entries)
      expect(callIn(entry)).toMatchObject({
        decision,
        release: { rule, act: "declassify", from: "secret/reviewed", to: "public/reviewed" },
      });
    expect([first?.which, rule]).toEqual([said === "granted" ? "intent" : "outcome", expect.stringMatching(/./)]);
    const plain = staged("consent", { said: ["granted"] });
    await direct(plain);
    expect(callIn(plain.entries[0]).release).toEqual({ rule: "", act: "", from: "", to: "" });
  },
);

test("a question names the release of the flow in one place only, and shows the arguments in full", async () => {
  const release = { tools: [0], act: "declassify", from: SECRET, to: PUBLIC, gate: "consent", rule: 1 } as const;
  const tables = {
    tools: [tool("notes.write", { sink: PUBLIC })],
    rows: [row("operator", [2], { starts: SECRET, releases: [0] })],
    releases: [release],
  };
  const path = "x".repeat(64);
  const args = JSON.stringify({ path });
  for (const [mode, words, rule] of [
    ["auto", "", "the second line (a.cap:2:1)"],
    ["stepUp", '; released by "the second line"', "the first line (a.cap:1:1)"],
  ] as const) {
    const stage = staged(mode, { said: ["granted"], tables });
    expect((await direct(stage, { ...CALL, arguments: args })).outcome).toBe("ok");
    expect(stage.questions).toMatchObject([
      { arguments: args, rule, sentence: `notes.write: path of 64 bytes${words}` },
    ]);
  }
});

test("arguments too long to review need a signature, even under consent", async () => {
  for (const [length, mode] of [
    [8000, "consent"],
    [9000, "stepUp"],
  ] as const) {
    const params = [{ name: "path", type: { which: "text", text: { maxBytes: 100_000 } }, required: true }] as const;
    const stage = staged("consent", { said: ["granted"], tables: { tools: [tool("notes.write", { params })] } });
    stage.gate.session.beginTurn();
    const call = { ...CALL, arguments: JSON.stringify({ path: "x".repeat(length) }) };
    expect((await propose(stage, call)).outcome).toBe("ok");
    expect(stage.questions[0]).toMatchObject({ mode, mayRemember: false });
    expect(stage.questions[0]?.sentence.includes("so a signature is asked for")).toBe(mode === "stepUp");
    expect(callIn(stage.entries[0]).decision).toBe(mode === "consent" ? "consented" : "stepUpSucceeded");
  }
});

test.each([
  ["consent", "denied", "deniedByUser", "the person said no"],
  ["consent", "mistyped", "deniedByUser", "the person's answer was not understood twice, so it was refused"],
  ["consent", "timedOut", "deniedByUser", "nobody answered"],
  ["consent", "cancelled", "cancelled", "the person stopped it"],
  ["consent", undefined, "refusedByPolicy", "nobody could be asked"],
  ["stepUp", "denied", "stepUpFailed", "no signature was given"],
  ["stepUp", "mistyped", "stepUpFailed", "no signature was given"],
  ["stepUp", "timedOut", "stepUpFailed", "nobody signed"],
  ["stepUp", "cancelled", "cancelled", "the person stopped it"],
  ["stepUp", undefined, "refusedByPolicy", "nobody could be asked"],
] as const)("a call whose %s question was %s has the outcome %s: %s", async (mode, said, outcome, error) => {
  const stage = staged(mode, { said: said === undefined ? [] : [said] });
  expect(await direct(stage)).toMatchObject({ outcome, error, content: "" });
  expect(stage.sent).toEqual([]);
});

test("a question of a step-up call does not mention that the arguments are long", async () => {
  const params = [{ name: "path", type: { which: "text", text: { maxBytes: 100_000 } }, required: true }] as const;
  const stage = staged("stepUp", { said: ["granted"], tables: { tools: [tool("notes.write", { params })] } });
  await direct(stage, { ...CALL, arguments: JSON.stringify({ path: "x".repeat(9000) }) });
  expect(stage.questions).toMatchObject([{ mode: "stepUp", sentence: "notes.write: path of 9000 bytes" }]);
});

test("a question shows values of up to 48 characters, and the size of longer ones", async () => {
  const sentence = async (path: string) => {
    const stage = staged("consent", { said: ["granted"] });
    await direct(stage, { ...CALL, arguments: JSON.stringify({ path }) });
    return stage.questions[0]?.sentence;
  };
  expect(await sentence("x".repeat(46))).toBe(`notes.write: path "${"x".repeat(46)}"`);
  expect(await sentence(`${"é".repeat(15)}${"x".repeat(32)}`)).toBe("notes.write: path of 62 bytes");
});

test("a person's call is not sent if its cancel signal is set when it begins", async () => {
  const { gate, sent } = staged("auto");
  expect(await gate.personCalls.call(CALL, AbortSignal.abort())).toMatchObject({
    outcome: "cancelled",
    error: "the call was given up",
  });
  expect(sent).toEqual([]);
});
