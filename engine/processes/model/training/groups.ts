// What is trained on: groups of conversations that begin with one table of tools, which is computed once for all of them.

import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import type { Family } from "./families.ts";
import { type Asked, asked } from "./instance.ts";
import { variedResultOf } from "./more-results.ts";
import type { Random } from "./random.ts";
import { aboutTools, missing, type Spoken, talk } from "./refusals.ts";
import { FEW, type Table, trainingTable } from "./tables.ts";
import type { World } from "./vocabulary.ts";
import { spoken } from "./wording.ts";

export interface Group {
  readonly tools: readonly ToolDescriptor[];
  /** Conversations that do not know of each other. Every message of the assistant is to be learnt. */
  readonly conversations: readonly (readonly ChatMessage[])[];
}

export const message = (role: ChatMessage["role"], content: string): ChatMessage => ({
  role,
  content,
  toolCallId: "",
  toolCalls: [],
});

/** A call is text to the chat: what the model is to write, mark by mark. */
export const callMessage = ({ call }: Asked): ChatMessage => message("assistant", call);

/** More would be cheaper by the conversation, and would show fewer tables: reading an unknown one is what is to be learnt. */
const CONVERSATIONS = 5;

export function groupOf(seen: readonly Family[], random: Random, world: World): Group {
  const table = trainingTable(seen, random, world);
  const conversations = Array.from({ length: CONVERSATIONS }, () => {
    // With a tool or two most of what a person asks for is not there.
    const turn = random.chance(table.tools.length > FEW ? 0.68 : 0.45)
      ? calling(table, random, world)
      : words(table, seen, random, world);
    // A conversation goes on: the second request is about other things.
    return random.chance(0.12) ? [...turn, ...calling(table, random, world)] : turn;
  });
  return { tools: table.tools.map(({ descriptor }) => descriptor), conversations };
}

function calling({ tools }: Table, random: Random, world: World): readonly ChatMessage[] {
  const tool = random.pick(tools);
  const call = asked(tool, random.pick(tool.plan.asks), random, world);
  const copied = Object.values(call.arguments).filter((value) => typeof value === "string");
  const turn = [message("user", spoken(call.user, random, copied)), callMessage(call)];
  if (!random.chance(0.25)) return turn;
  const { content, sentence } = variedResultOf(call.name, random, world);
  return [...turn, message("tool", content), message("assistant", sentence)];
}

function words(
  { tools, families }: Table,
  seen: readonly Family[],
  random: Random,
  world: World,
): readonly ChatMessage[] {
  const { user, answer } = wordsFor(tools, families, seen, random, world);
  return [message("user", spoken(user, random)), message("assistant", answer)];
}

function wordsFor(
  tools: Table["tools"],
  families: readonly Family[],
  seen: readonly Family[],
  random: Random,
  world: World,
): Spoken {
  if (random.chance(0.3)) return talk(random);
  const offered = tools.map(({ descriptor }) => descriptor);
  return random.chance(0.1) ? aboutTools(offered, random) : elsewhere(tools, families, seen, random, world);
}

function elsewhere(
  tools: Table["tools"],
  families: readonly Family[],
  seen: readonly Family[],
  random: Random,
  world: World,
): Spoken {
  const sibling = random.chance(0.35) ? withheld(tools, families, random, world) : undefined;
  return sibling ?? missing(families, seen, random, world);
}

/** A tool of a family that is offered, which itself is not: its neighbours are no replacement. */
function withheld(
  tools: Table["tools"],
  families: readonly Family[],
  random: Random,
  world: World,
): Spoken | undefined {
  const offered = new Set(tools.map(({ plan }) => plan));
  const left = families.flatMap((family) => family.tools).filter((plan) => !offered.has(plan));
  if (left.length === 0) return undefined;
  return missing([], [{ services: ["x"], likes: [], tools: [random.pick(left)] }], random, world);
}
