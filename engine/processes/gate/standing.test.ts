// Tests what a console's status line shows of a session.
import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, SECRET, tool } from "../../lib/policy/testing/sample.ts";
import type { PolicyTables } from "../../lib/wire/generated/policy.ts";
import { answerCommand } from "./commands/index.ts";
import { Standings } from "./standing.ts";
import { never, propose } from "./testing/calls.ts";
import { answering, MODEL, Stage } from "./testing/stage.ts";

const LOW = { ...PUBLIC, integrity: 0 };
const HIGH = { ...SECRET, integrity: 0 };
const NOWHERE = { isLocked: true, label: "", model: "", isModelAsked: false, task: "", phase: "", left: [] };

/** Returns a page with a task that has a phase, and with two backends, of which only the second is cleared for the result of a call. */
function page(first: "auto" | "consent" = "auto"): Partial<PolicyTables> {
  const backends = [
    { backend: 0, mode: first },
    { backend: 1, mode: "auto" as const },
  ];
  return {
    tools: [tool("notes.write", { readOnly: true, result: { low: PUBLIC, high: SECRET } })],
    decisions: [{ clauses: [always("auto")], floors: [] }],
    rows: [row("operator", [2], { backends }), row("operator", [2], { backends, task: "triage", phase: "look" })],
    backends: [backend(MODEL.backend, { clearance: LOW }), backend("deep", { clearance: HIGH })],
  };
}

test("the status line has the label, the model that would answer, the task and the remaining quotas", async () => {
  const stage = new Stage({ tables: page(), answers: ["deep"], serve: answering('{"a":1}') });
  const standings = new Standings(stage.gate);
  stage.left = [
    { backend: "", words: "3 of 4 readOnly per turn" },
    { backend: MODEL.backend, words: "9 of 9 tokens per day" },
    { backend: "deep", words: "7 of 8 tokens per day" },
  ];
  const at = { isLocked: false, isModelAsked: false, task: "", phase: "" };
  const own = "3 of 4 readOnly per turn";
  expect(await standings.describe()).toEqual({
    ...{ ...at, label: "public/reviewed", model: "canned", left: [own, "9 of 9 tokens per day"] },
  });
  const parts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  await answerCommand(parts, "task", "triage", never);
  stage.gate.session.beginTurn();
  await propose(stage);
  expect(await standings.describe()).toEqual({
    ...{ ...at, label: "secret/reviewed", model: "deep", task: "triage", phase: "look" },
    left: [own, "7 of 8 tokens per day"],
  });
});

test("the status line names a backend behind a gate as one that a person must approve", async () => {
  const tables = { ...page("consent"), rows: [row("operator", [2], { backends: [{ backend: 0, mode: "consent" }] })] };
  const standing = await new Standings(new Stage({ tables }).gate).describe();
  expect([standing.model, standing.isModelAsked]).toEqual(["canned", true]);
});

test("in the status line, tokens that are only reserved for the running answer do not count as spent", async () => {
  const stage = new Stage({ tables: page(), answers: ["deep"] });
  const standings = new Standings(stage.gate);
  stage.left = [{ backend: "", words: "9 of 9 tokens per day" }];
  stage.gate.session.beginTurn();
  await standings.describe();
  await stage.described();
  stage.left = [{ backend: "", words: "0 of 9 tokens per day" }];
  expect((await standings.describe()).left).toEqual(["9 of 9 tokens per day"]);
  await stage.gate.parts.models.withdraw();
  await stage.gate.parts.models.waitUntilSettled();
  stage.left = [{ backend: "", words: "2 of 9 tokens per day" }];
  expect((await standings.describe()).left).toEqual(["2 of 9 tokens per day"]);
});

test("the status line has at most sixteen quotas, and none if the broker does not report them", async () => {
  const stage = new Stage({ tables: page() });
  const standings = new Standings(stage.gate);
  stage.left = Array.from({ length: 40 }, (_, index) => ({ backend: "", words: `${index}` }));
  expect((await standings.describe()).left).toEqual(stage.left.slice(0, 16).map(({ words }) => words));
  stage.unanswered.add("remaining");
  expect((await standings.describe()).left).toEqual([]);
});

test("a locked session reports only that it is locked, even if it locks while the report is made", async () => {
  const tables = { ...page(), rows: [row("operator", [2], { login: "key", principals: [0] })] };
  const principals = [{ name: "alice", keys: ["ssh-ed25519 AAAA"], passphrase: "" }];
  const stage = new Stage({ tables: { ...tables, principals } });
  const standings = new Standings(stage.gate);
  expect(await standings.describe()).toEqual(NOWHERE);
  stage.gate.session.enter("alice");
  expect(await standings.describe()).toMatchObject({ isLocked: false, label: "public/reviewed" });
  const held = stage.holdBack("remaining");
  const described = standings.describe();
  const release = await held;
  await stage.gate.session.lock("over");
  release();
  expect(await described).toEqual(NOWHERE);
});
