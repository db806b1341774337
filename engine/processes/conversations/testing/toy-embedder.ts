// An embedder with simple meanings: each topic is a direction, and every word of a topic has a vector in this
// direction.

import { type Duplex, duplexPair } from "node:stream";
import { type ModelInfo, TextEmbedder, type Vector } from "../../../lib/wire/generated/capos.ts";
import { type Connection, connect, type Failure, implement, serveInterface } from "../../../lib/wire/index.ts";

const TOPICS: readonly (readonly string[])[] = [
  ["key", "shed", "lock", "padlock", "opens"],
  ["train", "ticket", "station", "railway", "journey"],
  ["bread", "recipe", "oven", "baking", "dough"],
];

/** Returns the vector of a text. The last number is large for a text that is about none of the topics. */
export function toyVector(text: string): readonly number[] {
  const words = text.toLowerCase().split(/\W+/);
  const topics = TOPICS.map((topic) => words.filter((word) => topic.includes(word)).length);
  return text === "" ? [] : [...topics, 0.25];
}

export interface ToyPlan {
  readonly id?: string;
  readonly embed?: (texts: readonly string[]) => Promise<{ vectors: readonly Vector[] } | Failure>;
}

export const TOY_ID = "toy:sha256-01";

function serveToy(stream: Duplex, { id = TOY_ID, embed = toyVectors }: ToyPlan = {}): void {
  const info: ModelInfo = {
    id,
    displayName: "toy",
    arch: "toy",
    contextTokens: 64,
    outputTokens: 0,
    backend: "local-cpu",
    quantisation: "f32",
    supportsTools: false,
  };
  serveInterface(stream, [
    implement(TextEmbedder, { info: async () => ({ info }), embed: ({ texts }) => embed(texts) }),
  ]);
}

export async function toyVectors(texts: readonly string[]): Promise<{ vectors: readonly Vector[] }> {
  return { vectors: texts.map((text) => ({ values: toyVector(text) })) };
}

/** Returns a holder's connection to an embedder that returns these vectors. */
export function toyConnection(plan?: ToyPlan): Connection {
  const [mine, theirs] = duplexPair();
  serveToy(theirs, plan);
  return connect(mine);
}
