import { parseArgs } from "node:util";
import { openCapset } from "../../lib/wire/capset.ts";
import { giveUp } from "../../lib/wire/exit-failed.ts";
import { serveSessions } from "./metering.ts";
import { readReplies } from "./replies.ts";
import { createStubInfo, serveModel } from "./serve.ts";

const { values } = parseArgs({ options: { id: { type: "string", default: "" } } });
const capset = openCapset();
const bytes = capset.file("replies");
const replies = readReplies(bytes);
if (replies.ok) {
  const model = { replies: replies.value, info: createStubInfo(values.id) };
  serveSessions(capset, (stream, permits) => serveModel(stream, model, permits));
  capset.ready();
} else {
  giveUp(`replies.json cannot be used: ${replies.reason}`);
}
