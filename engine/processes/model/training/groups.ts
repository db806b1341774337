// Training data: groups of conversations that begin with one table of tools, so that the table is computed once for all of them.

import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import type { Family } from "./families.ts";
import { createRequest, type TrainingCall } from "./instance.ts";
import { createVariedResult } from "./more-results.ts";
import type { Random } from "./random.ts";
import { askAboutTools, askForMissing, pickTalk, type SpokenExample } from "./refusals.ts";
import { createTrainingTable, FEW, type Table } from "./tables.ts";
import type { World } from "./vocabulary.ts";
import { rewriteAsSpoken } from "./wording.ts";

export interface Group {
  readonly tools: readonly ToolDescriptor[];
  /** Independent conversations. Every message of the assistant is a training target. */
  readonly conversations: readonly (readonly ChatMessage[])[];
}

export const createMessage = (role: ChatMessage["role"], content: string): ChatMessage => ({
  role,
  content,
  toolCallId: "",
  toolCalls: [],
});

/** In the chat format a call is text: exactly the text that the model should write. */
export const callMessage = ({ call }: TrainingCall): ChatMessage => createMessage("assistant", call);

/**
 * Number of conversations with one table. With more conversations, each one would be cheaper to train, but the model
 * would see fewer tables in the same time. The model has to learn to read unknown tables.
 */
const CONVERSATIONS = 5;

export function groupOf(seen: readonly Family[], random: Random, world: World): Group {
  const table = createTrainingTable(seen, random, world);
  const conversations = Array.from({ length: CONVERSATIONS }, () => {
    // In most conversations the model calls a tool. If a table has only one or two tools, few requests of a person
    // would fit it, so in most of its conversations the model answers without a call.
    const turn = random.flipCoin(table.tools.length > FEW ? 0.68 : 0.45)
      ? createCallTurn(table, random, world)
      : createWordsTurn(table, seen, random, world);
    // In 12 of 100 conversations, the person makes a second request, which need not be related to the first.
    return random.flipCoin(0.12) ? [...turn, ...createCallTurn(table, random, world)] : turn;
  });
  return { tools: table.tools.map(({ descriptor }) => descriptor), conversations };
}

function createCallTurn({ tools }: Table, random: Random, world: World): readonly ChatMessage[] {
  const tool = random.pick(tools);
  const call = createRequest(tool, random.pick(tool.plan.asks), random, world);
  const copied = Object.values(call.arguments).filter((value) => typeof value === "string");
  const turn = [createMessage("user", rewriteAsSpoken(call.user, random, copied)), callMessage(call)];
  if (!random.flipCoin(0.25)) return turn;
  const { content, sentence } = createVariedResult(call.name, random, world);
  return [...turn, createMessage("tool", content), createMessage("assistant", sentence)];
}

function createWordsTurn(
  { tools, families }: Table,
  seen: readonly Family[],
  random: Random,
  world: World,
): readonly ChatMessage[] {
  const { user, answer } = pickWords({ tools, families, seen }, random, world);
  return [createMessage("user", rewriteAsSpoken(user, random)), createMessage("assistant", answer)];
}

function pickWords({ tools, families, seen }: OfferedTools, random: Random, world: World): SpokenExample {
  if (random.flipCoin(0.3)) return pickTalk(random);
  const offered = tools.map(({ descriptor }) => descriptor);
  return random.flipCoin(0.1) ? askAboutTools(offered, random) : askElsewhere({ tools, families, seen }, random, world);
}

/** The tools of a table, the families of these tools, and all families that are used for training. */
interface OfferedTools {
  readonly tools: Table["tools"];
  readonly families: readonly Family[];
  readonly seen: readonly Family[];
}

function askElsewhere({ tools, families, seen }: OfferedTools, random: Random, world: World): SpokenExample {
  const sibling = random.flipCoin(0.35) ? askWithheld(tools, families, random, world) : undefined;
  return sibling ?? askForMissing(families, seen, random, world);
}

/**
 * Returns a request for a tool of an offered family that is not in the table. The right answer is a refusal. Returns
 * `undefined` if the table leaves out no tool.
 */
function askWithheld(
  tools: Table["tools"],
  families: readonly Family[],
  random: Random,
  world: World,
): SpokenExample | undefined {
  const offered = new Set(tools.map(({ plan }) => plan));
  const left = families.flatMap((family) => family.tools).filter((plan) => !offered.has(plan));
  if (left.length === 0) return undefined;
  return askForMissing([], [{ services: ["x"], likes: [], tools: [random.pick(left)] }], random, world);
}
