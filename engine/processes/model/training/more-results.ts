// Further results of calls besides those of `results.ts`: records, booleans, lists of records, sums. These further results
// are used only for training: the evaluation sets are frozen, so they use only `results.ts`.

import { type Json, type JsonRecord, renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { Random } from "./random.ts";
import { createResult, type Result } from "./results.ts";
import { capitalize, joinList } from "./value.ts";
import { makeValue } from "./values.ts";
import type { World } from "./vocabulary.ts";

const FAILURES: readonly (readonly [outcome: string, error: string])[] = [
  ["executionError", "there is no such record"],
  ["executionError", "the disk is full"],
  ["executionError", "the connection was refused"],
  ["executionError", "it is locked by somebody else"],
  ["executionError", "that value is out of range"],
  ["executionError", "not found"],
  ["executionError", "the service is down"],
  ["refusedByPolicy", "not in this task"],
  ["refusedByPolicy", "only the owner may do this"],
  ["refusedByPolicy", "too many calls in this turn"],
  ["timedOut", "nothing came back within 60 s"],
  ["invalidArguments", "the name is too long"],
  ["invalidArguments", "a date was expected"],
];
const FAILED = [
  "That did not work: {error}.",
  "It failed: {error}.",
  "I could not do it: {error}.",
  "No success: {error}.",
];
const REFUSED = ["That is not allowed: {error}.", "It was refused: {error}."];

/** Kinds of a record's fields, with the wording for each. */
const FIELDS: readonly (readonly [key: string, kind: string, said: string])[] = [
  ["owner", "user", "the owner is {value}"],
  ["name", "instance", "its name is {value}"],
  ["path", "path", "it lies at {value}"],
  ["version", "version", "the version is {value}"],
  ["price", "money", "the price is {value}"],
  ["status", "word", "the status is {value}"],
  ["city", "city", "the city is {value}"],
  ["until", "date", "it lasts until {value}"],
  ["seats", "count", "there are {value} seats"],
  ["percent", "percent", "it is at {value} percent"],
  ["litres", "int", "there are {value} litres"],
  ["person", "person", "it is {value}"],
  ["degrees", "degrees", "it has {value} degrees"],
  ["room", "room", "it is in {value}"],
  ["lastSeen", "stamp", "it was last seen at {value}"],
  ["mail", "email", "the address is {value}"],
  ["colour", "colour", "the colour is {value}"],
  ["code", "code", "the code is {value}"],
];

type Shape = (random: Random, world: World) => { readonly value: JsonRecord; readonly sentence: string };
const renderValue = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

const record: Shape = (random, world) => {
  const fields = random
    .shuffle(FIELDS, random.drawBetween(1, 3))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, kind, said]) => ({ key, said, value: makeValue(kind, random, world).value }));
  const parts = fields.map(({ said, value }) => said.replace("{value}", () => renderValue(value)));
  return {
    value: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    sentence: `${capitalize(joinList(parts))}.`,
  };
};

const makeTruth: Shape = (random) => {
  const [key, yes, no] = random.pick([
    ["running", "Yes, it is running.", "No, it is not running."],
    ["valid", "Yes, it is valid.", "No, it is not valid."],
    ["open", "It is open.", "It is not open."],
    ["exists", "Yes, it exists.", "No, it does not exist."],
    ["reachable", "Yes, it can be reached.", "No, it cannot be reached."],
    ["changed", "It has changed.", "Nothing has changed."],
    ["paid", "It is paid.", "It is not paid yet."],
  ] as const);
  const is = random.flipCoin(0.5);
  return { value: { [key]: is }, sentence: is ? yes : no };
};

const makeRows: Shape = (random, world) => {
  const [key, first, second] = random.pick([
    ["orders", "id", "money"],
    ["people", "person", "room"],
    ["disks", "device", "percent"],
    ["rows", "word", "int"],
    ["trips", "city", "date"],
    ["services", "daemon", "word"],
  ] as const);
  const items = Array.from({ length: random.drawBetween(1, 3) }, () => ({
    name: makeValue(first, random, world).value,
    value: makeValue(second, random, world).value,
  }));
  const sentence = `${joinList(items.map(({ name, value }) => `${renderValue(name)}: ${renderValue(value)}`))}.`;
  return { value: { [key]: items }, sentence };
};

const makeMany: Shape = (random, world) => {
  const kind = random.pick(["word", "person", "code", "food", "domain", "version", "phrase"]);
  const items = Array.from({ length: random.drawBetween(1, 6) }, () =>
    renderValue(makeValue(kind, random, world).value),
  );
  const key = random.pick(["names", "found", "list", "entries", "items", "matches", "members"]);
  const count = items.length === 1 ? "There is one" : `There are ${items.length}`;
  return { value: { [key]: items }, sentence: `${count}: ${joinList(items)}.` };
};

const makeEmpty: Shape = (random) => ({
  value: { [random.pick(["items", "found", "people", "matches", "results"])]: [] },
  sentence: random.pick(["There are none.", "Nothing was found.", "There is nothing."]),
});

const makeSingle: Shape = (random, world) => {
  const [key, kind, sentence] = random.pick([
    ["count", "count", "It is {value}."],
    ["total", "money", "The total is {value}."],
    ["kilometres", "decimal", "It is {value} kilometres."],
    ["minutes", "count", "It takes {value} minutes."],
    ["text", "sentence", "It says: {value}."],
    ["answer", "word", "The answer is {value}."],
    ["name", "person", "It is {value}."],
    ["at", "stamp", "It was at {value}."],
    ["number", "id", "Done, the number is {value}."],
    ["id", "id", "That is done, with the id {value}."],
  ] as const);
  const { value } = makeValue(kind, random, world);
  return { value: { [key]: value }, sentence: sentence.replace("{value}", () => renderValue(value)) };
};

const SHAPES: readonly Shape[] = [
  record,
  record,
  makeTruth,
  makeRows,
  makeMany,
  makeMany,
  makeEmpty,
  makeSingle,
  makeSingle,
];

/** Returns a random result: one as in the evaluation sets, or one of another kind. */
export function createVariedResult(name: string, random: Random, world: World): Omit<Result, "facts"> {
  if (random.flipCoin(0.45)) return createResult(name, random, world);
  if (random.flipCoin(0.2)) {
    const [outcome, error] = random.pick(FAILURES);
    const says = outcome === "refusedByPolicy" ? REFUSED : FAILED;
    return {
      content: renderCanonicalJson({ source: name, outcome, error }),
      sentence: random.pick(says).replace("{error}", error),
    };
  }
  const { value, sentence } = random.pick(SHAPES)(random, world);
  return {
    content: renderCanonicalJson({ source: name, outcome: "ok", content: renderCanonicalJson(value) }),
    sentence,
  };
}
