// Groups of requests that people really wrote: BFCL's `live` parts (PyPI `bfcl-eval`, Apache-2.0), whose functions others published.
// BFCL's parts `simple`, `multiple` and `irrelevance` are used for measuring: none of their functions is used here.

import { join } from "node:path";
import { isList, isRecord, type Json, type JsonRecord, readJson } from "../../../lib/policy/index.ts";
import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { convertTool, list, readLines, record } from "../evaluation/bfcl.ts";
import { callText } from "../local/chat.ts";
import { buildAnswers } from "../local/grammar/answers.ts";
import { isSentence } from "../local/grammar/testing/sentences.ts";
import { createMessage, type Group } from "./groups.ts";
import type { Random } from "./random.ts";
import { NO_TOOL } from "./refusals.ts";

/** Maximum length of a request in characters: longer ones contain whole letters, tables or programs. */
const LONGEST_REQUEST = 400;
/** Minimum and maximum number of tools of a table, and the maximum number of requests about one table. */
const [LEAST, MOST, REQUESTS] = [3, 7, 5];

interface Request {
  readonly user: string;
  readonly tools: readonly ToolDescriptor[];
  /** Expected call; `undefined` if the expected answer is text. */
  readonly call: string | undefined;
  readonly name: string;
}

/**
 * Reads the groups. `folder` is the folder `data` of the Python package `bfcl_eval`. Every request occurs once, except
 * those that are repeated with tools that do not fit.
 */
export function readLiveGroups(folder: string, random: Random): readonly Group[] {
  const measured = new Set(
    ["simple_python", "multiple", "irrelevance"].flatMap((part) =>
      readPart(folder, part).flatMap((line) => list(line["function"]).map((each) => `${record(each)["name"]}`)),
    ),
  );
  const requests = ["live_simple", "live_multiple", "live_irrelevance"]
    .flatMap((part) => readRequests(part, folder))
    .filter(({ tools }) => !tools.some(({ name }) => measured.has(name)));
  const byTable = Map.groupBy(requests, ({ tools }) => tools.map(({ name }) => name).join());
  const groups = [...byTable.values()].flatMap((same) => splitRequests(random.shuffle(same)));
  return random.shuffle(groups.map((same) => groupOf(same, requests, random)));
}

function readRequests(part: string, folder: string): readonly Request[] {
  const isRefusal = part === "live_irrelevance";
  const answers = isRefusal ? [] : readPart(join(folder, "possible_answer"), part);
  return readPart(folder, part).flatMap((line, index) => requestOf(line, isRefusal ? undefined : answers[index]) ?? []);
}

const readPart = (folder: string, part: string): readonly JsonRecord[] =>
  readLines(join(folder, `BFCL_v4_${part}.json`));

/** Returns the request, or `undefined` if it is too long or the grammar cannot express its call. */
function requestOf(line: JsonRecord, answer: JsonRecord | undefined): Request | undefined {
  const [turn] = list(line["question"]);
  const user = `${record(list(turn).at(-1))["content"]}`.trim();
  const tools = list(line["function"]).map((each) => convertTool(record(each)));
  if (user.length > LONGEST_REQUEST || tools.length === 0 || tools.length > MOST) return undefined;
  if (answer === undefined) return { user, tools, call: undefined, name: "" };
  const [[name, given] = ["", null]] = Object.entries(record(list(answer["ground_truth"])[0]));
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined || list(answer["ground_truth"]).length > 1) return undefined;
  const call = callText({ name, arguments: JSON.stringify(pickFirst(record(given), tool, user)) });
  return isSentence(buildAnswers([tool]), call) ? { user, tools, call, name } : undefined;
}

/**
 * Returns the first acceptable value of each argument, in the grammar's order. Omits an optional argument unless the request contains
 * its value.
 */
function pickFirst(options: JsonRecord, { paramSchema }: ToolDescriptor, user: string): JsonRecord {
  const read = readJson(paramSchema);
  const { properties, required } = record(read.ok ? read.value : undefined);
  const needed = list(required).map((key) => `${key}`);
  const known = Object.keys(record(properties));
  const order = [...known.filter((key) => needed.includes(key)), ...known.filter((key) => !needed.includes(key))];
  const members = order.flatMap((key) => {
    const values = isList(options[key] ?? null) ? list(options[key]) : [];
    const [value] = values.filter((each) => each !== "");
    const isWanted = value !== undefined && (needed.includes(key) || !values.includes("") || user.includes(`${value}`));
    return isWanted ? [[key, flattenValue(value)] as const] : [];
  });
  return Object.fromEntries(members);
}

/**
 * Returns a right value of an argument. BFCL gives a list of right values for each member of a record; the first of
 * them is taken.
 */
function flattenValue(value: Json): Json {
  if (isList(value)) return value.map(flattenValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const [first] = isList(each) ? each.filter((one) => one !== "") : [each];
      return first === undefined ? [] : [[key, flattenValue(first)] as const];
    }),
  );
}

function splitRequests(requests: readonly Request[]): readonly (readonly Request[])[] {
  const few = Math.ceil(requests.length / REQUESTS);
  return Array.from({ length: few }, (_, index) => requests.slice(index * REQUESTS, (index + 1) * REQUESTS));
}

function groupOf(same: readonly Request[], all: readonly Request[], random: Random): Group {
  const own = same[0]?.tools ?? [];
  // Do not change the table of a request without a fitting tool, because an added tool might fit.
  const isClosed = same.some(({ call }) => call === undefined);
  const tools = isClosed ? own : random.shuffle([...own, ...pickOthers(own, all, random)]);
  const asked = same.map(({ user, call }) => [
    createMessage("user", user),
    createMessage("assistant", call ?? NO_TOOL),
  ]);
  const foreign = isClosed ? [] : [0, 1].flatMap(() => createRefusal(tools, all, random));
  return { tools, conversations: [...asked, ...foreign] };
}

function pickOthers(
  own: readonly ToolDescriptor[],
  all: readonly Request[],
  random: Random,
): readonly ToolDescriptor[] {
  const taken: ToolDescriptor[] = [];
  const wanted = random.drawBetween(LEAST, MOST) - own.length;
  while (taken.length < wanted) {
    const tool = random.pick(random.pick(all).tools);
    if (isStrange(tool.name, [...own, ...taken])) taken.push(tool);
  }
  return taken;
}

/**
 * Returns a conversation in which the model must refuse a random request that needs a tool of another table. Returns an
 * empty list if a tool of `tools` may fit.
 */
function createRefusal(
  tools: readonly ToolDescriptor[],
  all: readonly Request[],
  random: Random,
): readonly (readonly ChatMessage[])[] {
  const { user, name } = random.pick(all);
  if (name === "" || !isStrange(name, tools)) return [];
  return [[createMessage("user", user), createMessage("assistant", NO_TOOL)]];
}

const splitWords = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3 && !COMMON.has(word));
const COMMON = new Set([
  "calculate",
  "list",
  "find",
  "create",
  "search",
  "update",
  "delete",
  "details",
  "data",
  "info",
  "user",
  "item",
]);

/** Returns whether the name of a tool has no word in common with the names of these tools. */
function isStrange(name: string, tools: readonly ToolDescriptor[]): boolean {
  const words = splitWords(name);
  return !tools.some((tool) => tool.name === name || splitWords(tool.name).some((word) => words.includes(word)));
}
