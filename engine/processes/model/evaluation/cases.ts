// Makes the sets of cases that measure a model. The cases are made from a seed and frozen by digest (`frozen.json`).
// Training data contain none of the sets' texts, and no tools of the unseen families.

import { readFileSync } from "node:fs";
import type { JsonRecord } from "../../../lib/policy/index.ts";
import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import {
  type Family,
  readDevelopmentFamilies,
  readSeenFamilies,
  readUnseenFamilies,
  type ToolPlan,
} from "../training/families.ts";
import { callMessage, createMessage } from "../training/groups.ts";
import { createRequest, type TrainingCall } from "../training/instance.ts";
import { Random } from "../training/random.ts";
import { isAkin } from "../training/refusals.ts";
import { createResult } from "../training/results.ts";
import { createTableWith, type Table } from "../training/tables.ts";
import { EVALUATION_WORLD } from "../training/vocabulary.ts";
import type { PossibleCall } from "./possible.ts";

export type ExpectedAnswer =
  | { readonly kind: "call"; readonly name: string; readonly arguments: JsonRecord }
  | PossibleCall
  /** Any text without a call. */
  | { readonly kind: "words" }
  /** A text that states all facts: it contains at least one of the wordings that are listed for each fact. */
  | { readonly kind: "sentence"; readonly facts: readonly (readonly string[])[] };

export interface Case {
  readonly tools: readonly ToolDescriptor[];
  /** Messages after the system message. */
  readonly messages: readonly ChatMessage[];
  readonly wanted: ExpectedAnswer;
}

export const SETS = ["seen", "unseen", "none", "result"] as const;
/**
 * The sets of `LOOKED_AT` show the errors of a model while it is trained. So `frozen.json` has no digests of them, and
 * no figure of them is reported.
 */
export const LOOKED_AT = ["development", "indirect"] as const;
type SetName = (typeof SETS)[number] | (typeof LOOKED_AT)[number];

const SIZE = 240;

/**
 * Lists of similar families of tools, in addition to those of `refusals.ts`: a tool of one family might do what people
 * request of another family.
 */
const NEAR: readonly (readonly string[])[] = [
  ["machines", "replicas", "power", "services", "containers", "processes", "sessions", "cluster", "backups"],
  ["wifi", "tunnels", "firewall", "dns", "certificates", "interfaces", "web", "settings"],
  ["timers", "calendar", "todo", "clock", "processes", "weather"],
  ["archives", "notes", "scratch", "backups", "disks", "search", "images"],
  ["quotas", "users", "disks", "settings", "groups"],
  ["sensors", "metrics", "alerts", "machine", "weather"],
  ["printers", "notes", "queues"],
];

export function createCases(set: SetName): readonly Case[] {
  switch (set) {
    case "seen":
      return createCallCases(readSeenFamilies(), ({ held }) => held, new Random(101));
    case "unseen":
      return createCallCases(readUnseenFamilies(), ({ asks }) => asks, new Random(102));
    case "none":
      return createRefusalCases(new Random(103));
    case "result":
      return createResultCases(new Random(104));
    case "development":
    case "indirect":
      return createDevelopmentCases(readDevelopmentFamilies(set), new Random(105));
  }
}

interface Place {
  readonly family: Family;
  readonly plan: ToolPlan;
  readonly ask: string;
}

function listPlaces(families: readonly Family[], asks: (plan: ToolPlan) => readonly string[]): readonly Place[] {
  return families.flatMap((family) => family.tools.flatMap((plan) => asks(plan).map((ask) => ({ family, plan, ask }))));
}

/**
 * Returns one case for each template of a request. If these are fewer than `size`, it adds cases of templates with
 * arguments, up to `size` in all. The added cases have other values and other tools.
 */
function createCallCases(
  families: readonly Family[],
  asks: (plan: ToolPlan) => readonly string[],
  random: Random,
  size = SIZE,
): readonly Case[] {
  const places = listPlaces(families, asks);
  const again = random.shuffle(
    places.filter(({ ask }) => ask.includes("{")),
    Math.max(0, size - places.length),
  );
  return [...places, ...again].map((place) => callCase(place, families, random));
}

function callCase(place: Place, families: readonly Family[], random: Random): Case {
  const { call, table } = drawCall(place, families, random);
  return {
    tools: table.tools.map(({ descriptor }) => descriptor),
    messages: [createMessage("user", call.user)],
    wanted: { kind: "call", name: call.name, arguments: call.arguments },
  };
}

function drawCall(
  { family, plan, ask }: Place,
  families: readonly Family[],
  random: Random,
): { readonly call: TrainingCall; readonly table: Table } {
  const table = createTableWith(plan, [family, ...pickStrangers(family, families, random)], random);
  const tool = table.tools.find((each) => each.plan === plan);
  if (tool === undefined) throw new Error("the table is without its tool");
  return { call: createRequest(tool, ask, random, EVALUATION_WORLD), table };
}

const isNear = (one: Family, other: Family): boolean => {
  const [a = "", b = ""] = [one.services[0], other.services[0]];
  return isAkin(one, other) || NEAR.some((names) => names.includes(a) && names.includes(b));
};

const pickStrangers = (family: Family, families: readonly Family[], random: Random): Family[] =>
  random.shuffle(
    families.filter((other) => !isNear(family, other)),
    2,
  );

/** Returns refusal cases: half are talk and questions about the world, half are requests for tools that are not offered. */
function createRefusalCases(random: Random): readonly Case[] {
  const talk = readFileSync(new URL("no-tool.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const [seen, unseen] = [readSeenFamilies(), readUnseenFamilies()];
  const foreign = [
    ...random.shuffle(
      listPlaces(seen, ({ held }) => held),
      (SIZE - talk.length) / 2,
    ),
    ...random.shuffle(
      listPlaces(unseen, ({ asks }) => asks),
      (SIZE - talk.length) / 2,
    ),
  ];
  const asks = foreign.map((place) => {
    const { call } = drawCall(place, [...seen, ...unseen], random);
    return { user: call.user, families: unseen.filter((family) => !isNear(family, place.family)) };
  });
  return [...talk.map((user) => ({ user, families: unseen })), ...asks].map((each) => createWordsCase(each, random));
}

function createWordsCase({ user, families }: { user: string; families: readonly Family[] }, random: Random): Case {
  const [own, ...others] = random.shuffle(families, 3);
  if (own === undefined) throw new Error("no families are left");
  const { tools } = createTableWith(random.pick(own.tools), [own, ...others], random);
  return {
    tools: tools.map(({ descriptor }) => descriptor),
    messages: [createMessage("user", user)],
    wanted: { kind: "words" },
  };
}

/**
 * Returns one case for each template of a request. For a third of the templates, it also returns a case in which no
 * offered tool can do what the person requests.
 */
function createDevelopmentCases(families: readonly Family[], random: Random): readonly Case[] {
  const places = listPlaces(families, ({ asks }) => asks);
  const asked = createCallCases(families, ({ asks }) => asks, random, places.length);
  const refused = random.shuffle(places, Math.floor(places.length / 3)).map((place) => {
    const { user } = drawCall(place, families, random).call;
    return createWordsCase({ user, families: families.filter((family) => !isNear(family, place.family)) }, random);
  });
  return [...asked, ...refused];
}

function createResultCases(random: Random): readonly Case[] {
  const unseen = readUnseenFamilies();
  const places = listPlaces(unseen, ({ asks }) => asks);
  return Array.from({ length: SIZE }, () => {
    const { call, table } = drawCall(random.pick(places), unseen, random);
    const { content, facts } = createResult(call.name, random, EVALUATION_WORLD);
    return {
      tools: table.tools.map(({ descriptor }) => descriptor),
      messages: [createMessage("user", call.user), callMessage(call), createMessage("tool", content)],
      wanted: { kind: "sentence", facts },
    };
  });
}
