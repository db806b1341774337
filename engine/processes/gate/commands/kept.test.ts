// Tests the descriptions of stored conversations for a person.
import { expect, test } from "vitest";
import { refuse } from "../../../lib/result/result.ts";
import type { Answer } from "../../../lib/wire/generated/wire.ts";
import { never } from "../testing/calls.ts";
import { Shelf, saying } from "../testing/shelf.ts";
import { Stage } from "../testing/stage.ts";
import { answerCommand } from "./index.ts";

const fact = (conversation: string, changes: object = {}) => ({
  ...{ conversation, title: "hello", sayings: 3n, bytes: 1025n, changedMs: 86_399_999n, parent: "", ...changes },
});
const KEPT = "2 of 4 KiB are kept on the data disk";

test("without a model, commands about conversations say that no model answers", async () => {
  const { gate, audit } = new Stage();
  const say = (name: string, argument = "") =>
    answerCommand({ gate, held: new Map(), supervisor: audit }, name, argument, never);
  const nothing = ["no model answers in this session, so nothing is said in it"];
  for (const name of ["conversations", "new", "save", "resume", "fork", "search", "export", "forget", "recall"]) {
    expect([name, await say(name)]).toEqual([name, nothing]);
  }
  expect(await say("compare", "c1 c2")).toEqual(nothing);
  expect(await say("context")).toEqual(["no model answers in this session"]);
});

test("/conversations shows each conversation's beginning, length, time of change and origin", async () => {
  const shelf = new Shelf();
  shelf.listed = { conversations: [fact("main"), fact("c2", { parent: "main", bytes: 1024n })], total: 5 };
  expect(await shelf.say("conversations")).toEqual([
    "main, open: 3 sayings, 2 KiB, 1970-01-01 23:59: hello",
    "c2, from main: 3 sayings, 1 KiB, 1970-01-01 23:59: hello",
    "3 older ones are not shown",
    KEPT,
  ]);
  shelf.listed = { conversations: [fact("c2")], total: 1 };
  expect(await shelf.say("conversations", "1000")).toEqual(["c2: 3 sayings, 2 KiB, 1970-01-01 23:59: hello", KEPT]);
  expect(shelf.asked.filter((one) => one.startsWith("list"))).toEqual(["list 20", "list 1000"]);
  shelf.listed = { conversations: [], total: 0 };
  expect(await shelf.say("conversations", "1")).toEqual(["nothing was said yet", KEPT]);
});

test("/save names the open conversation and where it is stored", async () => {
  const shelf = new Shelf();
  expect(await shelf.say("save")).toEqual([`main is kept as it is said; ${KEPT}`]);
  shelf.status = { ...shelf.status, durable: false, reason: "no data disk" };
  expect(await shelf.say("save")).toEqual([
    "main is kept as it is said; 2 of 4 KiB are kept in memory, until the machine stops: no data disk",
  ]);
});

test("/conversations takes a number within bounds", async () => {
  const shelf = new Shelf();
  for (const wrong of ["0", "1001", "-1", "1.5", "1x", "x1", "1e1", "many", "1".repeat(16)]) {
    expect(await shelf.say("conversations", wrong)).toEqual(["/conversations takes a number from 1 to 1000"]);
  }
  expect(shelf.asked).toEqual([]);
});

test("the last line of /conversations and /status says where conversations are stored; /conversations also reports moved files and search by meaning", async () => {
  const shelf = new Shelf();
  shelf.status = {
    ...shelf.status,
    durable: false,
    reason: "no data disk",
    moved: "moved aside",
    meaning: "by meaning",
  };
  expect((await shelf.say("conversations")).at(-1)).toBe(
    "2 of 4 KiB are kept in memory, until the machine stops: no data disk; moved aside; by meaning",
  );
  expect((await shelf.say("status")).at(-1)).toBe(
    "2 conversations are kept in memory, until the machine stops: no data disk",
  );
  shelf.status = { ...shelf.status, durable: true, conversations: 1 };
  expect((await shelf.say("status")).at(-1)).toBe("1 conversation is kept on the data disk");
  shelf.refuses = "status";
  expect((await shelf.say("conversations")).at(-1)).toBe("status has failed");
});

test("if the store fails, a command shows the reason and has no other effect", async () => {
  for (const [method, name, argument] of [
    ["list", "conversations", ""],
    ["search", "search", "words"],
    ["read", "export", "c1"],
    ["read", "forget", "c1"],
    ["list", "resume", ""],
    ["window", "context", ""],
    ["setRecall", "recall", "off"],
    ["recalling", "recall", ""],
  ] as const) {
    const shelf = new Shelf({ said: ["granted"] });
    shelf.refuses = method;
    expect([name, await shelf.say(name, argument)]).toEqual([name, [`${method} has failed`]]);
    expect([shelf.asked.length, shelf.stage.questions, shelf.stage.entries]).toEqual([1, [], []]);
  }
});

test("/search shows the conversation and sequence of each hit, and the method that found it if there are two methods", async () => {
  const shelf = new Shelf();
  const hit = { conversation: "c1", sequence: 4n, role: "tool", excerpt: "the words", byWords: true } as const;
  shelf.found = { hits: [{ ...hit, byMeaning: false }], byMeaning: false, note: "" };
  expect(await shelf.say("search", "the words")).toEqual(["c1 4 tool: the words"]);
  expect(shelf.asked).toEqual(["search the words 20"]);
  const near = [
    { ...hit, byMeaning: true },
    { ...hit, byWords: false, byMeaning: true },
  ];
  shelf.found = { hits: near, byMeaning: true, note: "not all were looked at" };
  expect(await shelf.say("search", "the words")).toEqual([
    "c1 4 tool, by words and meaning: the words",
    "c1 4 tool, by meaning: the words",
    "not all were looked at",
  ]);
});

test("/search states that it found no hit", async () => {
  const shelf = new Shelf();
  expect(await shelf.say("search", "x")).toEqual(["nothing that is kept holds all of these words"]);
  shelf.found = { hits: [], byMeaning: true, note: "" };
  expect(await shelf.say("search", "x")).toEqual([
    "nothing that is kept holds all of these words or is near them in meaning",
  ]);
});

test("/resume opens the newest other conversation, and refuses the open one", async () => {
  const shelf = new Shelf();
  shelf.sayings.set("c2", []);
  expect(await shelf.say("resume")).toEqual(["no other conversation is kept"]);
  shelf.listed = { conversations: [fact("main"), fact("c2")], total: 2 };
  expect(await shelf.say("resume", "main")).toEqual(["main is the conversation that is open"]);
  expect(await shelf.say("resume", "", AbortSignal.abort())).toEqual(["refused: it was given up"]);
  shelf.asked.length = 0;
  expect(await shelf.say("resume")).toEqual([
    "conversation c2, at secret:{finance, hr}/untrusted, in session operator",
  ]);
  expect(shelf.asked).toEqual(["list 2", "read c2 0", "open", "restart loop.operator", "open c2"]);
});

test("/new and /fork continue in a conversation that the store has created", async () => {
  const shelf = new Shelf();
  const place = (name: string) => [`conversation ${name}, at public/reviewed, in session operator`];
  expect(await shelf.say("new")).toEqual([...place("c9"), "the agent reads no word of other conversations"]);
  expect(await shelf.say("fork")).toEqual(place("c8"));
  expect(await shelf.say("fork", "c8 7")).toEqual(place("c8"));
  expect(shelf.asked.filter((one) => one.startsWith("fork"))).toEqual(["fork c9 0", "fork c8 7"]);
  for (const wrong of ["c8 0", "c8 x", "c8 -1"]) {
    expect(await shelf.say("fork", wrong)).toEqual([
      "/fork takes the name of a conversation and the number of a saying",
    ]);
  }
});

test("if another conversation cannot be opened, the previous one is opened again", async () => {
  for (const [refuses, words, asked] of [
    ["begin", "begin has failed", ["begin"]],
    [
      "restart",
      "the agent could not be started again: restart has failed",
      ["begin", "open", "restart loop.operator", "open main"],
    ],
    ["open", "open has failed", ["begin", "open", "open main"]],
    ["open c9", "open has failed", ["begin", "open", "restart loop.operator", "open c9", "open main"]],
  ] as const) {
    const shelf = new Shelf();
    shelf.refuses = refuses;
    expect(await shelf.say("new")).toEqual([`refused: ${words}`]);
    expect([shelf.stage.gate.place.conversation, shelf.asked]).toEqual(["main", asked]);
  }
});

test("/forget states what it erases and asks the person, and refuses the open conversation", async () => {
  const shelf = new Shelf({ said: ["denied", "granted"] });
  shelf.sayings.set("c1", [saying(1), saying(2)]);
  expect(await shelf.say("forget", "main")).toEqual(["main is the conversation that is open; /new begins another"]);
  expect(await shelf.say("forget", "c7")).toEqual(["there is no conversation c7"]);
  expect(shelf.stage.questions).toEqual([]);
  expect(await shelf.say("forget", "c1")).toEqual(["refused: the person said no"]);
  expect(shelf.stage.questions[0]).toMatchObject({
    ...{ tool: "/forget", arguments: '{"conversation":"c1"}', mode: "consent", rule: "no line of the page" },
    sentence: "erase the 2 sayings of conversation c1; it cannot be brought back",
  });
  expect(shelf.stage.entries).toEqual([]);
  expect(await shelf.say("forget", "c1")).toEqual(["c1 is forgotten"]);
  expect(shelf.stage.entries).toMatchObject([{ session: { event: "forgot", detail: "c1" } }]);
  const failing = new Shelf({ said: ["granted"] satisfies Answer[] });
  failing.sayings.set("c1", []);
  failing.refuses = "forget";
  expect(await failing.say("forget", "c1")).toEqual(["forget has failed"]);
  expect(failing.stage.entries).toMatchObject([
    { session: { event: "forget refused", detail: "c1: forget has failed" } },
  ]);
});

test("a resumed conversation continues its turn numbers, and the turns of a copy are counted from the start", async () => {
  const shelf = new Shelf();
  shelf.sayings.set("main", []);
  const { gate } = shelf.stage;
  for (let turn = 0; turn < 3; turn += 1) gate.session.beginTurn();
  await shelf.say("new");
  expect(gate.place).toEqual({ conversation: "c9", turn: 0 });
  await shelf.say("fork", "main");
  expect(gate.place).toEqual({ conversation: "c8", turn: 0 });
  await shelf.say("resume", "main");
  expect(gate.place).toEqual({ conversation: "main", turn: 3 });
});

test("while another conversation opens, no call is proposed, made or resumed, and no call of the previous conversation runs", async () => {
  const { stage } = new Shelf();
  stage.gate.session.beginTurn();
  const taking = Promise.withResolvers<{ readonly ok: false; readonly reason: string }>();
  const switched = stage.gate.moves.switchTo(() => taking.promise);
  const words = "another conversation is being taken up";
  const call = { id: "1", name: "notes.write", arguments: '{"path":"a"}' };
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toEqual(refuse(words));
  expect(await stage.gate.personCalls.takeUp(1, never)).toEqual({ ok: false, reason: words });
  const called = stage.gate.personCalls.call(call, never);
  taking.resolve({ ok: false, reason: "there is none" });
  expect([await switched, (await called).error, stage.sent]).toEqual(["there is none", words, []]);
  expect(await stage.gate.personCalls.call(call, never)).toMatchObject({ outcome: "ok" });
});

test("while several conversations open in succession, no call is made before the last one is open", async () => {
  const { stage } = new Shelf();
  const first = stage.gate.moves.switchTo(async () => stage.gate.moves.openNew("c1"));
  const chosen = Promise.withResolvers<void>();
  const second = stage.gate.moves.switchTo(async () => {
    await chosen.promise;
    return stage.gate.moves.openNew("c2");
  });
  await first;
  const called = stage.gate.personCalls.call({ id: "1", name: "notes.write", arguments: '{"path":"a"}' }, never);
  chosen.resolve();
  expect(await second).toBeUndefined();
  expect([(await called).error, stage.sent]).toEqual(["another conversation is being taken up", []]);
});
