// The sets that a model is measured by. They are made of a seed and frozen by digest (`frozen.json`): no training has seen
// their words, and those of the unseen families not even their tools.

import { readFileSync } from "node:fs";
import type { JsonRecord } from "../../../lib/policy/index.ts";
import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { developmentFamilies, type Family, seenFamilies, type ToolPlan, unseenFamilies } from "../training/families.ts";
import { callMessage, message } from "../training/groups.ts";
import { type Asked, asked } from "../training/instance.ts";
import { Random } from "../training/random.ts";
import { isAkin } from "../training/refusals.ts";
import { resultOf } from "../training/results.ts";
import { type Table, tableWith } from "../training/tables.ts";
import { EVALUATION_WORLD } from "../training/vocabulary.ts";
import type { Possible } from "./possible.ts";

export type Wanted =
  | { readonly kind: "call"; readonly name: string; readonly arguments: JsonRecord }
  | Possible
  /** Any words, and no call. */
  | { readonly kind: "words" }
  /** Words that hold of each of these at least one. */
  | { readonly kind: "sentence"; readonly facts: readonly (readonly string[])[] };

export interface Case {
  readonly tools: readonly ToolDescriptor[];
  /** Behind the words of the system. */
  readonly messages: readonly ChatMessage[];
  readonly wanted: Wanted;
}

export const SETS = ["seen", "unseen", "none", "result"] as const;
/** Not frozen, and no figure of it is told: to see in what a model errs while it is trained. */
export const LOOKED_AT = ["development", "indirect"] as const;
type SetName = (typeof SETS)[number] | (typeof LOOKED_AT)[number];

const SIZE = 240;

/** Families of which one might do what the other is asked for, beside those of `refusals.ts`. */
const NEAR: readonly (readonly string[])[] = [
  ["machines", "replicas", "power", "services", "containers", "processes", "sessions", "cluster", "backups"],
  ["wifi", "tunnels", "firewall", "dns", "certificates", "interfaces", "web", "settings"],
  ["timers", "calendar", "todo", "clock", "processes", "weather"],
  ["archives", "notes", "scratch", "backups", "disks", "search", "images"],
  ["quotas", "users", "disks", "settings", "groups"],
  ["sensors", "metrics", "alerts", "machine", "weather"],
  ["printers", "notes", "queues"],
];

export function casesOf(set: SetName): readonly Case[] {
  switch (set) {
    case "seen":
      return calls(seenFamilies(), ({ held }) => held, new Random(101));
    case "unseen":
      return calls(unseenFamilies(), ({ asks }) => asks, new Random(102));
    case "none":
      return refusals(new Random(103));
    case "result":
      return results(new Random(104));
    case "development":
    case "indirect":
      return lookedAt(developmentFamilies(set), new Random(105));
  }
}

interface Place {
  readonly family: Family;
  readonly plan: ToolPlan;
  readonly ask: string;
}

function placesOf(families: readonly Family[], asks: (plan: ToolPlan) => readonly string[]): readonly Place[] {
  return families.flatMap((family) => family.tools.flatMap((plan) => asks(plan).map((ask) => ({ family, plan, ask }))));
}

/** Each template once, and up to `size` some of those again that name an argument: with other values, among other tools. */
function calls(
  families: readonly Family[],
  asks: (plan: ToolPlan) => readonly string[],
  random: Random,
  size = SIZE,
): readonly Case[] {
  const places = placesOf(families, asks);
  const again = random.shuffled(
    places.filter(({ ask }) => ask.includes("{")),
    Math.max(0, size - places.length),
  );
  return [...places, ...again].map((place) => callCase(place, families, random));
}

function callCase(place: Place, families: readonly Family[], random: Random): Case {
  const { call, table } = askedIn(place, families, random);
  return {
    tools: table.tools.map(({ descriptor }) => descriptor),
    messages: [message("user", call.user)],
    wanted: { kind: "call", name: call.name, arguments: call.arguments },
  };
}

function askedIn(
  { family, plan, ask }: Place,
  families: readonly Family[],
  random: Random,
): { readonly call: Asked; readonly table: Table } {
  const table = tableWith(plan, [family, ...strangers(family, families, random)], random);
  const tool = table.tools.find((each) => each.plan === plan);
  if (tool === undefined) throw new Error("the table is without its tool");
  return { call: asked(tool, ask, random, EVALUATION_WORLD), table };
}

const isNear = (one: Family, other: Family): boolean => {
  const [a = "", b = ""] = [one.services[0], other.services[0]];
  return isAkin(one, other) || NEAR.some((names) => names.includes(a) && names.includes(b));
};

const strangers = (family: Family, families: readonly Family[], random: Random): Family[] =>
  random.shuffled(
    families.filter((other) => !isNear(family, other)),
    2,
  );

/** Half of it talk and questions about the world, half what tools are for that are not offered. */
function refusals(random: Random): readonly Case[] {
  const talk = readFileSync(new URL("no-tool.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const [seen, unseen] = [seenFamilies(), unseenFamilies()];
  const foreign = [
    ...random.shuffled(
      placesOf(seen, ({ held }) => held),
      (SIZE - talk.length) / 2,
    ),
    ...random.shuffled(
      placesOf(unseen, ({ asks }) => asks),
      (SIZE - talk.length) / 2,
    ),
  ];
  const asks = foreign.map((place) => {
    const { call } = askedIn(place, [...seen, ...unseen], random);
    return { user: call.user, families: unseen.filter((family) => !isNear(family, place.family)) };
  });
  return [...talk.map((user) => ({ user, families: unseen })), ...asks].map((each) => wordsCase(each, random));
}

function wordsCase({ user, families }: { user: string; families: readonly Family[] }, random: Random): Case {
  const [own, ...others] = random.shuffled(families, 3);
  if (own === undefined) throw new Error("no families are left");
  const { tools } = tableWith(random.pick(own.tools), [own, ...others], random);
  return {
    tools: tools.map(({ descriptor }) => descriptor),
    messages: [message("user", user)],
    wanted: { kind: "words" },
  };
}

/** Each template once, and for each third one a request that is of another family than all that are offered. */
function lookedAt(families: readonly Family[], random: Random): readonly Case[] {
  const places = placesOf(families, ({ asks }) => asks);
  const asked = calls(families, ({ asks }) => asks, random, places.length);
  const refused = random.shuffled(places, Math.floor(places.length / 3)).map((place) => {
    const { user } = askedIn(place, families, random).call;
    return wordsCase({ user, families: families.filter((family) => !isNear(family, place.family)) }, random);
  });
  return [...asked, ...refused];
}

function results(random: Random): readonly Case[] {
  const unseen = unseenFamilies();
  const places = placesOf(unseen, ({ asks }) => asks);
  return Array.from({ length: SIZE }, () => {
    const { call, table } = askedIn(random.pick(places), unseen, random);
    const { content, facts } = resultOf(call.name, random, EVALUATION_WORLD);
    return {
      tools: table.tools.map(({ descriptor }) => descriptor),
      messages: [message("user", call.user), callMessage(call), message("tool", content)],
      wanted: { kind: "sentence", facts },
    };
  });
}
