// Tests a task of a page from its declaration to the tools that the model sees and the calls that run. The page is the
// page of the example with one more task.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createLogBytes } from "../../../engine/processes/audit/device.ts";
import { verify } from "../../../engine/processes/audit/verify.ts";
import { newSshKey, type SshKey } from "../../../engine/processes/broker/sshsig/testing/ssh-keygen.ts";
import { compileExample, type Example } from "./example.ts";
import { collectOutcomes, collectSpoken } from "./fake-console.ts";
import { type Rehearsal, rehearse } from "./rehearsal.ts";

const TASK = `
  task tidy in operator {
    phase look               { only Files.read, Files.list }
    phase mend after consent { only Files.read, Files.write }
    phase drop after stepUp  { only Files.delete }
    quota { 3 prompts per task }
  }
`;

let alice: SshKey;
let example: Example;
let folder = "";
let stage: Rehearsal;

beforeAll(async () => {
  alice = newSshKey();
  example = await compileExample(alice.line, TASK);
});
afterAll(() => alice.remove());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "capos-task-"));
  for (const name of ["notes", "audit"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "notes/todo.txt"), "buy milk\n");
  const services = { files: { notes: join(folder, "notes") }, logs: "journal", status: "machine" };
  stage = await rehearse({ ...example, session: "operator", ...services, disk: join(folder, "audit") });
});
afterEach(async () => {
  await stage.leave();
  rmSync(folder, { recursive: true });
});

const say = (line: string) => stage.console.say(line);

/** Returns the session events in the log on the disk. */
function events(): readonly string[] {
  const found: string[] = [];
  const verdict = verify(createLogBytes(readFileSync(join(folder, "audit/audit.log"))), ({ record: { entry } }) => {
    if (entry.which === "session") found.push(`${entry.session.event} ${entry.session.detail}`);
  });
  expect([verdict.fault, verdict.torn]).toEqual([undefined, 0]);
  return found;
}

test("only the tools of the phase are advertised to the model, and other tools are unknown", async () => {
  expect((await stage.command("task", "tidy"))[0]).toBe("this conversation is in phase look of task tidy");
  expect(collectSpoken(await say("Which tools do you see?"))).toBe("I see notes.list, notes.read.");
  expect(collectOutcomes(await say("What is on my list?"))).toEqual(["ok"]);
  expect(collectOutcomes(await say("Note that I must call Ada."))).toEqual(["unknownTool"]);
});

test("a phase starts with a person's approval, and its calls have their own gates", async () => {
  await stage.command("task", "tidy");
  stage.console.answers.push("denied", "granted", "granted");
  expect(await stage.command("phase", "mend")).toEqual(["refused: the person said no"]);
  expect((await stage.command("phase", "mend"))[0]).toBe("this conversation is in phase mend of task tidy");
  expect(collectSpoken(await say("Which tools do you see?"))).toBe("I see notes.read, notes.write.");
  expect(collectOutcomes(await say("Note that I must call Ada."))).toEqual(["ok"]);
  expect(readFileSync(join(folder, "notes/ada.txt"), "utf8")).toBe("call Ada\n");
  // All three prompts of the task are used: the person was asked twice about the phase, and once about the call.
  expect(collectOutcomes(await say("Note that I must call Bob."))).toEqual(["refusedByPolicy"]);
  expect((await stage.command("phase", "drop"))[0]).toMatch(/^refused: used up: 3 prompts per task/);
  expect(events()).toEqual([
    "task tidy in phase look: auto",
    "phase refused mend of task tidy: the person said no",
    expect.stringMatching(/^phase mend of task tidy: consented after \d+ ms at console$/),
    expect.stringMatching(/^phase refused drop of task tidy: used up/),
  ]);
});

test("a step-up phase starts with alice's signature of a line that names the phase", async () => {
  await stage.command("task", "tidy");
  let line = "";
  stage.console.answers.push((challenge) => {
    line = challenge;
    return alice.sign(challenge);
  });
  expect((await stage.command("phase", "drop"))[0]).toBe("this conversation is in phase drop of task tidy");
  expect(JSON.parse(line)).toMatchObject({ tool: "/phase", arguments: '{"phase":"drop","task":"tidy"}' });
  expect(events().at(-1)).toMatch(/^phase drop of task tidy: stepUpSucceeded \(alice\) after \d+ ms at console$/);
  expect(collectSpoken(await say("Which tools do you see?"))).toBe("I see notes.delete.");
});

test("a model's text cannot start a task or enter a phase", async () => {
  const before = await stage.command("phase");
  await say("Say something that looks like a command.");
  expect(await stage.command("phase")).toEqual(before);
  expect((await stage.command("task", "tidy"))[0]).toMatch(/^refused: a task needs a new conversation; type \/new/);
});

test("a task cannot start in a resumed or forked conversation", async () => {
  await say("What does the log say?");
  const { conversation } = stage.gate.place;
  const high = [expect.stringMatching(/at internal\/untrusted, in session operator$/)];
  const begun = ["refused: a task needs a new conversation; type /new, then repeat the command"];
  await stage.command("new");
  expect(await stage.command("fork", conversation)).toEqual(high);
  expect(await stage.command("task", "tidy")).toEqual(begun);
  const { conversation: copy } = stage.gate.place;
  await stage.command("new");
  expect(await stage.command("resume", copy)).toEqual(high);
  expect(await stage.command("task", "tidy")).toEqual(begun);
  await stage.command("new");
  expect((await stage.command("task", "tidy"))[0]).toBe("this conversation is in phase look of task tidy");
});
