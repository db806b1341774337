// Tests summaries. A summary has the label of its conversation, and only a model with clearance for this label writes
// it. A conversation that continues from a summary, later or in a fork, has the label of the summary.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, SECRET, tables, tool } from "../../../engine/lib/policy/testing/sample.ts";
import { PolicyTables, type Quota, type Type } from "../../../engine/lib/wire/generated/policy.ts";
import { Files } from "../../../engine/lib/wire/generated/tools.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { createLogBytes } from "../../../engine/processes/audit/device.ts";
import { verify } from "../../../engine/processes/audit/verify.ts";
import { rehearse } from "./rehearsal.ts";

const text: Type = { which: "text", text: { maxBytes: 0 } };
const READ = tool("notes.read", {
  interfaceId: Files.id,
  method: Files.methods.read.ordinal,
  params: [{ name: "path", type: text, required: true }],
  readOnly: true,
  result: { low: PUBLIC, high: SECRET },
});
const answers: Quota = { amount: 100n, unit: "calls", name: "", scope: "conversation", rule: 0 };
const hearing = (name: string, confidentiality: number) =>
  backend(name, { clearance: { confidentiality, integrity: 0, compartments: 0n }, quotas: [answers] });
/** The backend `low` is cleared for public data, and `deep` for all data. The tool returns secret data. */
const TABLES = encodeMessage(
  PolicyTables,
  tables({
    tools: [READ],
    decisions: [{ clauses: [always("auto")], floors: [] }],
    backends: [hearing("deep", 2), hearing("low", 0)],
    rows: [
      row("operator", [2], {
        backends: [
          { backend: 1, mode: "auto" },
          { backend: 0, mode: "auto" },
        ],
      }),
    ],
  }),
);
const REPLIES = Buffer.from(
  JSON.stringify([
    { when: { user: "hello" }, say: "Hello to you." },
    { when: { user: "read" }, say: "", call: [{ name: "notes.read", arguments: { path: "long.txt" } }] },
    { when: { tool: "notes.read", outcome: "ok" }, say: "I have read it." },
    { when: { user: "Summarise what was said." }, say: "They read a secret." },
  ]),
);

test("a summary of secret messages is requested from a cleared model, and does not lower the label", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-summary-"));
  for (const name of ["notes", "audit", "said"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "notes/long.txt"), "secret words\n".repeat(5000));
  const stage = await rehearse({
    tables: TABLES,
    session: "operator",
    replies: REPLIES,
    files: { notes: join(folder, "notes") },
    disk: join(folder, "audit"),
    conversations: join(folder, "said"),
  });
  try {
    const spent = async () => (await stage.command("budget")).filter((line) => /deep|low/.test(line));
    await stage.console.say("hello");
    const context = async () => (await stage.command("context")).join("\n");
    let rounds = 0;
    while (!(await context()).includes("a summary by the model stands for") && rounds < 12) {
      await stage.console.say("read");
      rounds += 1;
    }
    expect(await context()).toContain("a summary by the model stands for");
    // The backend `low`, which is cleared for public data only, answered two messages: the greeting, and the first
    // request to read.
    expect(await spent()).toEqual([
      expect.stringMatching(/low.* 2 of 100/),
      expect.stringMatching(/deep.* (\d+) of 100/),
    ]);
    // The backend `deep` gave the other answers: one in the first round, two in each later round, and the summary.
    expect(Number(/(\d+) of 100/.exec((await spent())[1] ?? "")?.[1])).toBe(2 * rounds);
    const standing = async () => (await stage.command("model")).find((line) => line.startsWith("low"));
    const SHUT = "low: may not answer (this conversation has seen what may not flow to this backend)";
    expect(await standing()).toBe(SHUT);
    // The model's context no longer contains the greeting, but the line `hello` recalls it. A model with clearance for
    // the whole conversation answers. The log records the answer, and the quota counts it.
    await stage.console.say("hello");
    expect((await spent())[0]).toMatch(/low.* 2 of 100/);
    expect(await context()).toContain("recalled for the newest request: saying 1, 2; ");
    expect(await stage.command("recall", "off")).toEqual([expect.stringMatching(/^recall is off/)]);
    await stage.console.say("hello");
    expect([await context()]).toEqual([expect.not.stringContaining("recalled for the newest")]);
    expect(await context()).toContain("recall is off");
    // An answer is recorded before the next one begins.
    const recalls: string[] = [];
    verify(createLogBytes(readFileSync(join(folder, "audit/audit.log"))), ({ record: { entry } }) => {
      if (entry.which !== "inference" || entry.inference.recalled.length === 0) return;
      recalls.push(`${entry.inference.backend} ${entry.inference.recalled.join(" ")}`);
    });
    expect(recalls).toEqual(["deep 1 2"]);
    const [forked] = await stage.command("fork");
    expect([forked, await standing()]).toEqual(["conversation a2, at secret/reviewed, in session operator", SHUT]);
  } finally {
    await stage.leave();
    rmSync(folder, { recursive: true });
  }
});
