// Tests that counterexamples really happen. Each conversation runs in a rehearsal, which is a simulation in this
// process. Its gates decide and prompt as those of an image do. The machine must confirm every claim of the script
// about rules, gates and labels.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSshKey, type SshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { parse } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { compile } from "../../compile.ts";
import { examplesIn } from "../../dev/fixtures/examples.ts";
import { createExampleHost } from "../../dev/golden/golden.ts";
import { createStageFor } from "../../dev/in-process/examples.ts";
import { rehearse } from "../../dev/in-process/rehearsal.ts";
import { readScript } from "../../machine/chat/script.ts";
import { createDiskHost, createMemoryHost, type Host } from "../../phases/source/index.ts";
import { renderScript } from "./script.ts";
import { playRehearsed } from "./testing/rehearsed.ts";

let alice: SshKey;
let disks = "";
beforeAll(() => {
  alice = newSshKey();
  disks = mkdtempSync(join(tmpdir(), "capc-replay-"));
});
afterAll(() => {
  alice.remove();
  rmSync(disks, { recursive: true });
});

interface Refuted {
  readonly title: string;
  readonly boots: readonly string[];
  readonly failed: readonly string[];
}

/** Plays every counterexample of a page, each on a new disk, and returns the claims that failed. */
async function replayed(host: Host, path: string, asked?: string): Promise<readonly Refuted[]> {
  const tree = asked === undefined ? undefined : (await parse(createSourceText("asked", asked))).tree;
  const { policy, origins, proofs, diagnostics } = await compile(host, path, {
    proofs: "told",
    ...(tree && { asked: tree }),
  });
  if (policy === undefined || origins === undefined || proofs === undefined)
    throw new Error(diagnostics.map(({ message }) => message).join("; "));
  const played: Refuted[] = [];
  for (const { words, verdict } of proofs.results) {
    if (verdict.kind !== "refuted") continue;
    const scripted = renderScript(policy, words, verdict.witness);
    if (!scripted.ok) throw new Error(`${words}: ${scripted.reason}`);
    const folder = mkdtempSync(join(disks, "disk-"));
    const failed: string[] = [];
    for (const text of scripted.value) {
      const read = readScript(text, () => undefined);
      if (!read.ok) throw new Error(JSON.stringify(read.faults));
      const stage = await rehearse(await createStageFor(policy, origins, folder));
      const verdicts = await playRehearsed(stage, read.script, (_, line) => {
        const namespace = line.includes('"tool":"/login"') ? "login@capos" : "stepup@capos";
        return { armour: alice.sign(line, { namespace }) };
      });
      expect(verdicts.length).toBeGreaterThan(0);
      failed.push(...verdicts.flatMap(({ passed, words: claim, line }) => (passed ? [] : [`${line}: ${claim}`])));
      await stage.leave();
    }
    played.push({ title: words, boots: scripted.value, failed });
  }
  return played;
}

const RULES = new URL("../../rules/verdicts/", import.meta.url);
const PAGES = examplesIn(RULES, "bad").filter(
  ({ folder, name }) => name.endsWith(".cap") && !["conversation-unanswered", "proof-undetermined"].includes(folder),
);

test.each(PAGES.map((page) => [`${page.folder}/${page.name}`, page.url.pathname]))(
  "a machine can replay each counterexample of %s",
  async (_, path) => {
    const found = await replayed(createDiskHost("2026-01-01"), path);
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ failed }) => failed)).toEqual(found.map(() => []));
  },
);

const EXAMPLES = new URL("../../../examples/", import.meta.url);

test.each([
  ["first-agent", "assert never call notes.delete", 1],
  ["log-triage", "assert never call desk.close", 1],
  ["log-triage", "assert never call desk.open ungated  assert always stepUp desk.open", 1],
  ["finance-labels", "assert never flow secret to board", 1],
])(
  "a machine can replay the counterexamples of %s to %j, also through gates, phases and releases",
  async (example, asked, count) => {
    const path = new URL(`${example}/system.cap`, EXAMPLES).pathname;
    const found = await replayed(createExampleHost(`${alice.line}\n`), path, asked);
    expect(found).toHaveLength(count);
    expect(found.flatMap(({ failed }) => failed)).toEqual([]);
  },
);

/**
 * Page in which one conversation reads what another conversation of the same session wrote. The counterexample needs
 * two starts of the machine with the same disk.
 */
const TWICE = `system twice version "1.0.0" {
  use std.tools
  compartments { hr }
  service people : Files { state 1 MiB  label secret:{hr}/reviewed }
  service board : Files { state 1 MiB  label internal/reviewed }
  backend canned { stub  clearance internal }
  session operator {
    kind operator
    clearance secret:{hr}
    models { auto canned }
    permit { auto readOnly  consent board.write }
  }
  declassify board.write from secret:{hr} to internal by consent because "a person has read it"
  assert never flow secret:{hr} to canned
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

test("a second conversation of a session needs a second start of the machine", async () => {
  const [found] = await replayed(createMemoryHost({ "/system.cap": TWICE }, "2026-01-01"), "/system.cap");
  expect(found?.boots).toHaveLength(2);
  expect(found?.failed).toEqual([]);
});

test("a replay fails if the counterexample's claim is false", async () => {
  const path = new URL("assertion-refuted/bad.cap", RULES).pathname;
  const { policy, origins, proofs } = await compile(createDiskHost("2026-01-01"), path, { proofs: "told" });
  const refuted = proofs?.results.find(({ verdict }) => verdict.kind === "refuted");
  if (policy === undefined || origins === undefined || refuted?.verdict.kind !== "refuted") throw new Error("no page");
  const scripted = renderScript(policy, refuted.words, refuted.verdict.witness);
  const [text = ""] = scripted.ok ? scripted.value : [];
  const read = readScript(text.replace("decided: consent", "decided: auto"), () => undefined);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const folder = mkdtempSync(join(disks, "disk-"));
  const stage = await rehearse(await createStageFor(policy, origins, folder));
  const verdicts = await playRehearsed(stage, read.script, () => ({ reason: "nobody signs" }));
  await stage.leave();
  expect(verdicts.filter(({ passed }) => !passed).map(({ words }) => words)).toEqual([
    expect.stringContaining("decided: auto"),
  ]);
});
