// `node compiler/dev/agentdojo/main.ts [remarks]` prints the figures of both suites; with `remarks`, it also prints
// the calls of attacks that ran and changed or sent something, and each call of a benign task that was refused or
// needed a prompt.

import { measureSuite, renderFigures } from "./measure.ts";
import { SUITES } from "./suite.ts";

const measured = [];
for (const suite of SUITES) measured.push(await measureSuite(suite));
process.stdout.write(renderFigures(measured.map(({ figures }) => figures)));
if (process.argv[2] === "remarks")
  for (const { suite, kind, task, attack, tool, outcome, reason } of measured.flatMap(({ remarks }) => remarks))
    process.stdout.write(`${[suite, kind, task, attack, tool, outcome, reason].join("\t")}\n`);
