// Types into a page letter by letter, like an editor that notifies the server, and requests completion in between. It
// prints three medians in CPU milliseconds: the time from a keystroke to all findings, the same time for a keystroke that
// causes a syntax error, and the time of a completion. The arguments are the page, and the line of the page in which to
// type.

import { readFileSync } from "node:fs";
import { TextDocument } from "vscode-languageserver-textdocument";
import { scan } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { computeCompletion } from "../../editors/lsp/features/completion/completion.ts";
import { groupDiagnosticsByFile } from "../../editors/lsp/features/diagnostics.ts";
import { createNames } from "../../editors/lsp/places.ts";
import { listDiskFolder } from "../../editors/lsp/workspace/disk-folder.ts";
import { Workspace } from "../../editors/lsp/workspace/workspace.ts";

/** Number of rounds until V8 has compiled the hot functions, as in a server that has run for a minute. */
const WARM = 15;
const TIMES = 31;

const [path = "", line = ""] = process.argv.slice(2);
const text = readFileSync(path, "utf8");
const at = text.indexOf(line);
if (at < 0) throw new Error(`${line} does not stand in ${path}`);
const names = createNames(() => undefined);
let found = 0;
const desk = new Workspace(
  (snapshots) => {
    for (const diagnostics of groupDiagnosticsByFile(snapshots, names, () => undefined).values())
      found += diagnostics.length;
  },
  (error) => {
    throw error;
  },
);

const findings: number[] = [];
const broken: number[] = [];
const completions: number[] = [];
for (let time = 0; time < WARM + TIMES; time += 1) {
  // Each keystroke changes the line. Even ones write a reason, which is longer each time. Odd ones write `because`
  // without a reason, which is a syntax error.
  const isBroken = time % 2 === 1;
  const typed = isBroken ? `${line} because ` : `${line} because "${"a".repeat(time + 1)}"`;
  const now = text.slice(0, at) + typed + text.slice(at + line.length);
  let before = process.cpuUsage();
  desk.writeDocument(path, TextDocument.create(`file://${path}`, "cap", time, now));
  await desk.takeSnapshots(path);
  if (time >= WARM) (isBroken ? broken : findings).push(measureMilliseconds(before));
  before = process.cpuUsage();
  const source = createSourceText(path, now);
  const offset = at + line.lastIndexOf(".") + 1;
  const { items } = await computeCompletion(
    { source, scanned: scan(source), offsetAt: () => offset },
    offset,
    desk.findLatest(path),
    listDiskFolder,
  );
  if (items.length === 0) throw new Error("nothing is offered");
  if (time >= WARM) completions.push(measureMilliseconds(before));
}
if (found === 0) throw new Error("nothing was found in the page");
process.stdout.write(
  JSON.stringify({
    findings: computeMedian(findings),
    broken: computeMedian(broken),
    completion: computeMedian(completions),
  }),
);

function measureMilliseconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function computeMedian(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
