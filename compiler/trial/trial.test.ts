// Runs the page of the first example inside this program. A list of lines replaces the person.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { encodeTables } from "../../targets/tables/tables.ts";
import { compile } from "../compile.ts";
import { ALICE } from "../dev/fixtures/facts.ts";
import { createDiskHost, createMemoryHost } from "../phases/source/index.ts";
import type { Front, Person } from "./console.ts";
import type { TrialPage } from "./plan.ts";
import { openTrial, type Trial } from "./trial.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/mail-desk/", import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function compileExample(): Promise<TrialPage> {
  const { policy, origins, diagnostics } = await compile(createDiskHost(), join(EXAMPLE, "system.cap"), {
    proofs: "left",
  });
  if (policy === undefined || origins === undefined)
    throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return { policy, origins, tables: encodeTables(policy), weights: new Map(), engine: "" };
}

interface Scene {
  readonly trial: Trial;
  readonly person: Person;
  readonly drawn: () => string;
  readonly disk: string;
  /** Waits until the text is drawn. Each call searches only the output after the text that the previous call found. */
  readonly see: (text: string) => Promise<void>;
  readonly type: (text: string) => void;
  readonly broken: Promise<string>;
  /** Resolves when the person has left. */
  readonly left: Promise<void>;
}

async function open(changes: (page: TrialPage) => TrialPage = (page) => page, resolvers = ""): Promise<Scene> {
  const disk = mkdtempSync(join(tmpdir(), "capc-trial-"));
  folders.push(disk);
  cpSync(join(EXAMPLE, "disk"), disk, { recursive: true });
  let drawn = "";
  let seen = 0;
  let wake = (): void => {};
  const left = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<string>();
  let person: Person | undefined;
  const write = (text: string): void => {
    drawn += text;
    wake();
  };
  const front: Front = {
    write,
    columns: () => 200,
    rows: () => 24,
    status: () => {},
    prompt: (next) => write(next === undefined ? "" : next.text),
    taken: (line) => write(`${line}\n`),
    attach: (given) => {
      person = given;
    },
    isLive: true,
    isRewritable: false,
    isPainted: false,
    setColours: () => {},
    left: left.resolve,
  };
  const page = changes(await compileExample());
  const trial = await openTrial({ page, disk, front, resolvers, onBroken: broken.resolve });
  if (person === undefined) throw new Error("the console was not attached");
  const see = async (text: string): Promise<void> => {
    for (;;) {
      const at = drawn.indexOf(text, seen);
      if (at >= 0) {
        seen = at + text.length;
        return;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const type = (text: string): void => person?.enter({ text, pieces: [{ text, isPasted: false }] });
  return { trial, person, drawn: () => drawn, disk, see, type, broken: broken.promise, left: left.promise };
}

test("a trial ends after `/exit`, and the audit records an orderly end", async () => {
  const { trial, see, type, disk, left } = await open();
  await see("you> ");
  type("/tools");
  await see("you> ");
  type("/exit");
  await left;
  await trial.end();
  expect(readFileSync(join(disk, ".audit")).includes("the machine stops in order")).toBe(true);
});

test("a restarted service serves calls again, and a stopped service does not", async () => {
  const { trial, see, type } = await open();
  await see("you> ");
  type("/restart letters");
  await see("* letters serves again");
  type('/tool letters.read {"path":"1.txt"}');
  await see("* ok");
  type("/stop letters");
  await see("* letters is stopped");
  type('/tool letters.read {"path":"1.txt"}');
  await see("executionError");
  await trial.end();
});

test("commands cannot restart the broker, and report a process name that does not exist", async () => {
  const { trial, see, type } = await open();
  await see("you> ");
  type("/restart broker");
  await see("* broker is never started again");
  type("/restart nobody");
  await see("* there is no process named nobody");
  type("/stop nobody");
  await see("* no process named nobody runs");
  await trial.end();
});

test("when a loop is restarted, the console says that it reads only the open conversation, and prompts again", async () => {
  const { trial, see, type } = await open();
  await see("you> ");
  const [session = ""] = (await compileExample()).policy.tables.rows.map((row) => row.session);
  type(`/restart loop.${session}`);
  await see("begins anew, and reads only the open conversation");
  await see("you> ");
  await trial.end();
});

test("if the tables are unreadable, the trial breaks with the name of the gate or broker that stopped", async () => {
  const { broken, trial } = await open((page) => ({ ...page, tables: new Uint8Array(8) }));
  expect(await broken).toMatch(/^(?:broker|gate\.\w+) stopped \(/);
  await trial.end();
});

test("a stub whose replies cannot be read stays stopped after too many restarts", async () => {
  const { trial, see, type } = await open((page) => ({
    ...page,
    policy: {
      ...page.policy,
      backends: page.policy.backends.map((backend) =>
        backend.kind === "stub" ? { ...backend, replies: { path: "replies.json", bytes: Buffer.from("{") } } : backend,
      ),
    },
  }));
  await see("you> ");
  await see("stays stopped: it has died too often");
  type("/status");
  await see("you> ");
  await trial.end();
});

test("lines that were typed before the end of the input are executed, and then the trial reports that the person has left", async () => {
  const { person, trial, type, left, drawn } = await open();
  type("/status");
  person.end();
  await left;
  expect(drawn()).toContain("/status");
  await trial.end();
});

test("a line is completed with the gate's commands and tools", async () => {
  const { person, trial, see } = await open();
  await see("you> ");
  expect(await person.complete("/too")).toBe("/tool");
  await see("* tool  tools\n");
  expect(await person.complete("/tool letters.re")).toBe("/tool letters.read ");
  expect(await person.complete("hello")).toBe("hello");
  await trial.end();
});

const READER = `system reader {
  use std.tools
  service web : Fetch { label public/untrusted  grant Fetch scope "https://*", "within 5 s" }
  backend canned { stub }
  principal alice { ssh "alice.pub" }
  session operator { kind operator  principals alice  models { auto canned }  permit { auto web.get } }
  storage { disk "capos-data" }
  network { address dhcp }
  image { target linux  machine vm  boot operator }
}`;

async function compileReader(): Promise<TrialPage> {
  const host = createMemoryHost({ "/system.cap": READER, "/alice.pub": ALICE });
  const { policy, origins, diagnostics } = await compile(host, "/system.cap", { proofs: "left" });
  if (policy === undefined || origins === undefined)
    throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return { policy, origins, tables: encodeTables(policy), weights: new Map(), engine: "" };
}

test("the process with the network asks the name servers that the trial was given", async () => {
  const page = await compileReader();
  const call = '/tool web.get {"url":"https://nobody.invalid/"}';
  const without = await open(() => page);
  await without.see("you> ");
  without.type(call);
  await without.see("the machine knows no name server");
  await without.trial.end();
  // Usually nothing listens at this address; if a name server does, it does not know the name `nobody.invalid`.
  const given = await open(() => page, "127.77.0.53");
  await given.see("you> ");
  given.type(call);
  await given.see("executionError");
  expect(given.drawn()).toContain("nobody.invalid: ");
  await given.trial.end();
});

test("the folder of the disk contains the files that the page's services store", async () => {
  const { disk, trial } = await open();
  expect(existsSync(join(disk, "letters", "1.txt"))).toBe(true);
  await trial.end();
});
