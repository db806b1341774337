// Replays logs of rehearsals against the tables that decided the calls: every decision must be the same, and none may
// be undecided.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listTasks, readTables, renderPlainArguments } from "../../../engine/lib/policy/index.ts";
import { newSshKey, type SshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { createStage } from "../../dev/in-process/examples.ts";
import { rehearse } from "../../dev/in-process/rehearsal.ts";
import { runCommand } from "../memory-world.ts";

let folder = "";
let person: SshKey;
beforeAll(() => {
  person = newSshKey();
  folder = mkdtempSync(join(tmpdir(), "capc-replay-"));
});
afterAll(() => {
  person.remove();
  rmSync(folder, { recursive: true });
});

const signIn = (challenge: string) => person.sign(challenge, { namespace: "login@capos" });

/** Examples that together have every gate, quotas, labels, releases, and tasks with phases. */
const EXAMPLES = ["first-agent", "finance-labels", "log-triage"];

test.each(EXAMPLES)("replaying the log of %s under the same policy gives the same decisions", async (example) => {
  const stage = await createStage(example, mkdtempSync(join(folder, `${example}-`)), person.line);
  const read = readTables(stage.tables);
  if (!read.ok || stage.disk === undefined) throw new Error("an example has tables and a disk");
  const tables = read.value;
  mkdirSync(stage.disk, { recursive: true });
  const played = await rehearse({ ...stage, signIn });
  const answers = ["denied", "granted", "grantedForConversation", person.sign] as const;
  let count = 0;
  for (const session of new Set(tables.rows.map((row) => row.session))) {
    const scene = played.scene(session);
    for (const place of ["", ...listTasks(tables, session)]) {
      if (place !== "") await scene.command("new");
      scene.console.answers.push(person.sign);
      if (place !== "") await scene.command("task", place);
      scene.console.answers.length = 0;
      for (const tool of [...tables.tools, ...tables.tools]) {
        count += 1;
        scene.console.answers.push(answers[count % answers.length] ?? "denied");
        await scene.command("tool", `${tool.name} ${renderPlainArguments(tool.params)}`);
        scene.console.answers.length = 0;
      }
    }
    await scene.command("away");
    await scene.command("tool", `${tables.tools[0]?.name} {}`);
  }
  await played.stop();
  writeFileSync(join(stage.disk, "tables.bin"), stage.tables);
  const told = await runCommand(["replay", "audit.log", "--policy", "tables.bin", "--json"], { folder: stage.disk });
  const report = JSON.parse(told.out);
  expect([told.err, report.otherwise, report.undecided]).toEqual(["", [], []]);
  expect(report.decisions).toBeGreaterThan(tables.tools.length);
});
