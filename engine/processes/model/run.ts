import { parseArgs } from "node:util";
import type { Program } from "../../lib/wire/program.ts";
import { serveSessions } from "./metering.ts";
import { readReplies } from "./replies.ts";
import { createStubInfo, serveModel } from "./serve.ts";

export const runStub: Program = (capset, { words, giveUp }) => {
  const { values } = parseArgs({ args: [...words], options: { id: { type: "string", default: "" } } });
  const replies = readReplies(capset.file("replies"));
  if (!replies.ok) return giveUp(`replies.json cannot be used: ${replies.reason}`);
  const model = { replies: replies.value, info: createStubInfo(values.id) };
  serveSessions(capset, (stream, permits) => serveModel(stream, model, permits));
  capset.ready();
};
