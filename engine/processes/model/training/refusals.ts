// Requests for which a table has no tool: talk, questions about the world, and tasks of tools that other machines have.

import { readFileSync } from "node:fs";
import type { ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { composeFamily } from "./composed.ts";
import type { Family } from "./families.ts";
import { createRequest, createTool } from "./instance.ts";
import type { Random } from "./random.ts";
import type { World } from "./vocabulary.ts";

export interface SpokenExample {
  readonly user: string;
  readonly answer: string;
}

const readSpoken = (name: string): readonly SpokenExample[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [user = "", answer = ""] = line.split(" = ");
      return { user, answer };
    });

const TALK = readSpoken("words.txt");
const CONCEPTS = readSpoken("concepts.txt");

/** Text of every refusal; with several texts, a model could not learn which one to choose. */
export const NO_TOOL = "I have no tool for that.";

/** Questions about a concept of `concepts.txt`: even a tool on that subject must not be called. */
const QUESTIONS = [
  "what is {it}?",
  "what does {it} mean?",
  "explain {it} to me",
  "can you explain what {it} is?",
  "I never understood what {it} is",
  "tell me in one sentence what {it} is",
  "what do people mean by {it}?",
  "what exactly is {it} good for?",
  "{it}, what is that?",
  "do you know what {it} is?",
];
const ABOUT_ALL = [
  "which tools do you have?",
  "what tools can you use?",
  "what can you do with your tools?",
  "list your tools",
  "what are you able to do here?",
];
const ABOUT_ONE = [
  "what does {tool} do?",
  "what is {tool} for?",
  "explain {tool}",
  "describe the tool {tool}",
  "do you have a tool called {tool}? what is it good for?",
  "when would you use {tool}?",
];

/** Families that might answer each other's requests. */
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

export function pickTalk(random: Random): SpokenExample {
  if (random.flipCoin(0.7)) return random.pick(TALK);
  const { user, answer } = random.pick(CONCEPTS);
  return { user: random.pick(QUESTIONS).replaceAll("{it}", user), answer };
}

/**
 * Returns a question about the purpose of one tool, or about all tools, with its answer as text. The right answer is
 * not a call.
 */
export function askAboutTools(tools: readonly ToolDescriptor[], random: Random): SpokenExample {
  if (random.flipCoin(0.3)) {
    return { user: random.pick(ABOUT_ALL), answer: `I can use ${tools.map(({ name }) => name).join(", ")}.` };
  }
  const { name, description } = random.pick(tools);
  return { user: random.pick(ABOUT_ONE).replaceAll("{tool}", name), answer: `${name}: ${description}` };
}

export function isAkin(one: Family, other: Family): boolean {
  const [a = "", b = ""] = [one.services[0], other.services[0]];
  return (
    a === b ||
    one.likes.includes(b) ||
    other.likes.includes(a) ||
    AKIN.some((names) => names.includes(a) && names.includes(b))
  );
}

/**
 * Share of the requests for a missing tool for which a new family is composed. The others request a tool of a family
 * that the caller passes.
 */
const PUT_TOGETHER = 0.3;

/** Returns a composed family whose requests no offered family might answer. */
function composeUnlike(offered: readonly Family[], random: Random): Family {
  for (;;) {
    const family = composeFamily(random);
    if (!offered.some((each) => isAkin(each, family))) return family;
  }
}

/**
 * Returns a request for a tool of a family that is neither offered nor similar to an offered one. The answer is the
 * refusal.
 */
export function askForMissing(
  offered: readonly Family[],
  all: readonly Family[],
  random: Random,
  world: World,
): SpokenExample {
  const others = all.filter((family) => !offered.some((each) => isAkin(each, family)));
  const family =
    offered.length > 0 && random.flipCoin(PUT_TOGETHER) ? composeUnlike(offered, random) : random.pick(others);
  const plan = random.pick(family.tools);
  const { user } = createRequest(createTool(plan, "x", random, "first"), random.pick(plan.asks), random, world);
  return { user, answer: NO_TOOL };
}
