// Requests that no tool of a table is for: talk, questions about the world, and what other machines have tools for.

import { readFileSync } from "node:fs";
import type { Family } from "./families.ts";
import { asked, toolOf } from "./instance.ts";
import type { Random } from "./random.ts";
import type { World } from "./vocabulary.ts";

export interface Spoken {
  readonly user: string;
  readonly answer: string;
}

const TALK: readonly Spoken[] = readFileSync(new URL("words.txt", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [user = "", answer = ""] = line.split(" = ");
    return { user, answer };
  });

const NO_TOOL = [
  "I have no tool for that.",
  "I cannot do that here: I have no tool for it.",
  "None of my tools can do that.",
  "Sorry, that is nothing that I have a tool for.",
];

/** Families whose requests another one might take. */
const AKIN: readonly (readonly string[])[] = [
  ["notes", "scratch", "github", "search", "patches", "memory", "todo"],
  ["journal", "builds", "containers", "metrics", "alerts", "search"],
  ["services", "processes", "containers", "deploys", "cluster", "machine", "packages", "sessions"],
  ["users", "groups", "sessions", "chat", "secrets"],
  ["mail", "contacts", "chat", "todo", "queues"],
  ["tickets", "todo", "alerts", "github", "patches"],
  ["backups", "databases", "disks", "notes"],
  ["containers", "images"],
  ["settings", "cache", "flags", "clock"],
  ["web", "search", "interfaces", "translate"],
];

/** The same of families that came later: what the frozen sets were made of stays as it was. */
const AKIN_LATER: ReadonlyMap<string, readonly string[]> = new Map([
  ["speakers", ["lights"]],
  ["invoices", ["mail", "money"]],
  ["parcels", ["mail"]],
  ["wiki", ["notes", "search", "patches", "library"]],
  ["sshkeys", ["users", "secrets", "sessions"]],
  ["stock", ["kitchen", "library"]],
  ["meetings", ["cars", "todo"]],
  ["links", ["web", "hooks"]],
  ["hooks", ["web", "alerts"]],
  ["swap", ["disks", "machine"]],
  ["balance", ["cluster", "deploys"]],
]);

export function talk(random: Random): Spoken {
  return random.pick(TALK);
}

export function isAkin(one: Family, other: Family): boolean {
  const [a = "", b = ""] = [one.services[0], other.services[0]];
  const isLater = AKIN_LATER.get(a)?.includes(b) === true || AKIN_LATER.get(b)?.includes(a) === true;
  return a === b || isLater || AKIN.some((names) => names.includes(a) && names.includes(b));
}

/** What a tool of another family would be for. */
export function missing(offered: readonly Family[], all: readonly Family[], random: Random, world: World): Spoken {
  const others = all.filter((family) => !offered.some((each) => isAkin(each, family)));
  const plan = random.pick(random.pick(others).tools);
  const { user } = asked(toolOf(plan, "x", random, false), random.pick(plan.asks), random, world);
  return { user, answer: random.pick(NO_TOOL) };
}
