// Locates the image and the script of examples/offline-agent, and reads the digest of the weights of its local model.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readScript, type Script } from "../../../machine/chat/script.ts";
import { CHECKOUT } from "../stage.ts";

const EXAMPLE = "offline-agent";

/** Arguments for `runConversation`. An earlier stage of `make test` builds the image. */
export const AGENT = {
  example: EXAMPLE,
  image: join(CHECKOUT, "build/test", EXAMPLE, "system.iso"),
  backend: "local",
} as const;

/** Script of a conversation, for weights that produce sensible answers. */
const CONVERSATION = join(CHECKOUT, "examples", EXAMPLE, "conversation.chat");

/** Returns the digest of capc's own weights, from the file `weights.json` beside the parts of the weights. */
export function readOwnWeights(): { readonly sha256: string } {
  return JSON.parse(readFileSync(join(CHECKOUT, "engine/model/agent/weights.json"), "utf8"));
}

export function readConversation(): Script {
  const read = readScript(readFileSync(CONVERSATION, "utf8"), () => undefined);
  if (!read.ok) throw new Error(read.faults.map(({ line, reason }) => `${CONVERSATION}:${line}: ${reason}`).join("\n"));
  return read.script;
}
