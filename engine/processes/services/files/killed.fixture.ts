// Writes and deletes a file as the service does, and is killed with SIGKILL before a given step of the disk: `node killed.fixture.ts ROOT
// STEP METHOD PATH CONTENT`. Steps count from 0; after the last step the program ends by itself.

import { Files } from "../../../lib/wire/generated/tools.ts";
import { answerCall } from "./calls.ts";
import { Directory } from "./directory.ts";
import { watchSteps } from "./steps.fixture.ts";

const [root = "", step = "", method = "", path = "", content = ""] = process.argv.slice(2);

let left = Number(step);
watchSteps(() => {
  if (left === 0) process.kill(process.pid, "SIGKILL");
  left -= 1;
});

const { ordinal } = method === "delete" ? Files.methods.delete : Files.methods.write;
const args = method === "delete" ? { path } : { path, content };
const answer = await answerCall(
  { directory: new Directory(root, 0) },
  ordinal,
  JSON.stringify(args),
  new AbortController().signal,
);
process.stdout.write(JSON.stringify(answer));
