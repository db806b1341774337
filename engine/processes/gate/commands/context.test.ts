// Tests the description of the part of the conversation that the model sees.
import { expect, test } from "vitest";
import { Shelf } from "../testing/shelf.ts";

const USED = "the agent says: 1000 of 3000 tokens are used, of a context of 4096; by the model's own tokenizer";
const PARTS = "system prompt 200, tools 300, conversation 500";
const OFF = "recall is off: nothing that was evicted is shown to the model again";
const ON = "recall is on: what was evicted from the model's context is found by a request's words and shown again";

test("/context shows the used tokens, and says that the model sees all sayings", async () => {
  const shelf = new Shelf();
  expect(await shelf.say("context")).toEqual([USED, PARTS, "all of it is shown as it was said"]);
  shelf.window = { ...shelf.window, isEstimated: true, usedTokens: 400 };
  expect((await shelf.say("context")).slice(0, 2)).toEqual([
    "the agent says: 400 of 3000 tokens are used, of a context of 4096; counted as four characters a token",
    "system prompt 200, tools 300, conversation 0",
  ]);
});

test("/context shows which sayings were evicted, summarised, recalled, cut or lost, and that recall is off", async () => {
  const shelf = new Shelf();
  shelf.recalls = false;
  shelf.window = {
    ...{ ...shelf.window, firstKept: 9n, summarisedThrough: 4n, cutSayings: 2, lostSayings: 3n },
    ...{ recalled: [5n, 7n], recalledTokens: 60, recalledByMeaning: [7n] },
  };
  expect(await shelf.say("context")).toEqual([
    USED,
    PARTS,
    "shown as it was said from saying 9 on; /search finds what is older",
    "a summary by the model stands for what was said up to 4",
    "recalled for the newest request: saying 5, 7 by meaning; 60 tokens",
    "2 messages are shown in part",
    "3 sayings are gone: they were not kept",
    OFF,
  ]);
  shelf.refuses = "recalling";
  expect(await shelf.say("context")).not.toContain(OFF);
});

test("/recall shows and sets whether evicted sayings are recalled, and records the change", async () => {
  const shelf = new Shelf();
  expect(await shelf.say("recall")).toEqual([ON]);
  expect(await shelf.say("recall", "off")).toEqual([OFF]);
  expect(await shelf.say("recall")).toEqual([OFF]);
  expect(await shelf.say("recall", "on")).toEqual([ON]);
  expect(await shelf.say("recall", "maybe")).toEqual(["/recall takes on or off, or nothing"]);
  expect(shelf.stage.entries).toMatchObject([
    { session: { event: "recall", detail: "off" } },
    { session: { event: "recall", detail: "on" } },
  ]);
});

test("the archive returns recalled sayings of the requested conversation only, and none if the store fails", async () => {
  const { parts, ...shelf } = new Shelf();
  expect(await parts.archive?.takeRecalled("main")).toEqual([]);
  const other = new Shelf();
  other.recalled = { conversation: "main", sequences: [3n, 5n] };
  expect(await other.parts.archive?.takeRecalled("main")).toEqual([3n, 5n]);
  expect(await other.parts.archive?.takeRecalled("c1")).toEqual([]);
  other.refuses = "takeRecalled";
  expect(await other.parts.archive?.takeRecalled("main")).toEqual([]);
  expect(shelf.asked).toEqual(["takeRecalled"]);
});
