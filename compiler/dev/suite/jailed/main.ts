// Plays the conversation of examples/offline-agent with the worker in its jail on this machine, and prints it; --write also writes it
// into the example's README. The image is built first (`make model-transcript`). Exits with 1 if a claim of the script fails.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "../stage.ts";
import { play, runConversation } from "./conversation.ts";
import { AGENT, readConversation } from "./offline-agent.ts";
import { buildJailed } from "./worker.ts";

const README = join(CHECKOUT, "examples", AGENT.example, "README.md");
const SECTION = /(<!-- transcript: begin -->\n).*(<!-- transcript: end -->\n)/s;

buildJailed();
const { lines, verdicts, id } = await runConversation(AGENT, async (scene) => {
  const said = await play(scene, readConversation());
  return { ...said, id: scene.worker.id };
});
const text = lines.map((line) => `    ${line}\n`).join("");
const told = `With ${id.slice(0, "llama:sha256-".length + 12)}…:\n\n${text}`;
const failed = verdicts.filter(({ passed }) => !passed);
process.stdout.write(told);
for (const { line, words } of failed) process.stderr.write(`conversation.chat:${line}: ${words}\n`);
if (process.argv.includes("--write")) {
  const readme = readFileSync(README, "utf8");
  if (!SECTION.test(readme)) throw new Error("the marks of the transcript are not there");
  writeFileSync(
    README,
    readme.replace(SECTION, (_, begin, end) => `${begin}${told}${end}`),
  );
}
process.exitCode = failed.length === 0 ? 0 : 1;
