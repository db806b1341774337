import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../memory-world.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

const say = (...words: string[]) => runCommand(["why", "first-agent/system.cap", ...words], { folder: EXAMPLES });

test("explains a refusal with all checks in order, the line that decided, and the smallest change that avoids the refusal", async () => {
  const { status, out, err } = await say('operator notes.write {"path": "/locked/a", "content": "x"}');
  expect({ status, err }).toEqual({ status: 0, err: "" });
  const checks = [...out.matchAll(/^ {2}(\w+) +(passes|decides|not asked)/gm)].map(([, name, verdict]) => [
    name,
    verdict,
  ]);
  expect(checks).toEqual([
    ["tool", "passes"],
    ["arguments", "passes"],
    ["mode", "decides"],
    ["flow", "not asked"],
    ["quota", "not asked"],
    ["gate", "not asked"],
  ]);
  expect(out).toContain('notes.write {"path": "/locked/a", "content": "x"}: refusedByPolicy\n');
  expect(out).toMatch(/line that decided:\n {2}first-agent\/system\.cap:\d+:\d+: forbidden Files\.write where/);
  expect(out).toContain("least change, after which the answer is consent:\n");
  expect(out).toContain(
    'add `consent Files.write where path under "/locked" and path under "/locked/a" else consent`\n',
  );
});

test("names which data a proposed release lets through, and the flows that become possible", async () => {
  const asked = 'controller board.write { path: "a.txt", content: "x" }';
  const { out } = await runCommand(["why", "finance-labels/system.cap", asked, "--label", "secret:{hr}"], {
    folder: EXAMPLES,
  });
  expect(out).toContain(`
what else that opens:
  controller board.write: refusedByPolicy, for data at secret:{hr} → consent where path under "/a.txt" and size(path) <= 6 else forbidden, at least stepUp, by a release
  controller flow to service books, compartments that reach it: finance → finance, hr
  controller flow to service board, compartments that reach it: finance → finance, hr
`);
});

test("names every condition of the proposed line, even one that only makes the line take precedence over another line", async () => {
  const { out } = await say('operator notes.write {"path": "/locked/a.txt", "content": "x"}');
  const [, before, after] = /^ {2}operator notes\.write: (.*) → (.*), with other arguments$/m.exec(out) ?? [];
  const old = 'forbidden where path under "/locked" else consent';
  expect([before, after]).toEqual([
    old,
    `consent where path under "/locked" and path under "/locked/a.txt" else consent; ${old}`,
  ]);
});

test("says that an automatic call needs no change, and detects an unknown tool", async () => {
  expect((await say("visitor notes.read")).out).toContain("nothing asks: there is no looser answer\n");
  expect((await say("operator machine.show")).out).toContain("machine.show {}: unknownTool\n");
});

test("the label of the conversation and the presence of a person change the decision", async () => {
  const answer = async (...words: string[]): Promise<string> => JSON.parse((await say(...words, "--json")).out).answer;
  const write = 'operator notes.write {"path": "a", "content": "x"}';
  expect(await answer(write)).toBe("consent");
  expect(await answer(write, "--label", "internal/untrusted")).toBe("refusedByPolicy");
  expect(await answer(write, "--unattended")).toBe("refusedByPolicy");
});

test("accepts arguments as a test of the page writes them", async () => {
  const answer = async (args: string): Promise<string> =>
    JSON.parse((await say(`operator notes.write ${args}`, "--json")).out).answer;
  expect(await answer('{ path: "/locked/a", content: "x" }')).toBe("refusedByPolicy");
  expect(await answer('{ path: "a", content: "x" }')).toBe("consent");
});

test("a question about a method of an interface is answered for each of its tools", async () => {
  const { out } = await say("operator Files.read");
  expect(out).toMatch(/^notes\.read .*: auto\n/);
  const several = await runCommand(["why", "guest-kiosk/system.cap", "guest Files.read"], { folder: EXAMPLES });
  expect([...several.out.matchAll(/^(\S+) .*: auto$/gm)].map(([, tool]) => tool)).toEqual([
    "exhibits.read",
    "guestbook.read",
  ]);
  const asJson = ["why", "guest-kiosk/system.cap", "guest Files.read", "--json"];
  expect(await runCommand(asJson, { folder: EXAMPLES })).toMatchObject({
    status: 2,
    err: "capc why: Files.read is exhibits.read, guestbook.read here: name one of them\n",
  });
});

test("names lines that cover the tool but do not decide, with the line that takes precedence", async () => {
  const { out } = await say('operator notes.write {"path": "a", "content": "x"}');
  const [, lines = ""] = /lines that are passed over:\n((?: {2}.*\n)+)/.exec(out) ?? [];
  expect(lines).toMatch(
    /: consent mutatingLocal, outboundNet, replaced by the session's own "forbidden Files\.write where/,
  );
});

test("JSON output contains the question, the decision, its line, all checks and the proposed change with positions", async () => {
  const json = JSON.parse((await say('operator notes.delete {"path": "a"}', "--json")).out);
  expect(json).toMatchObject({
    question: { session: "operator", tool: "notes.delete" },
    answer: "stepUp",
    rule: { words: "stepUp destructive, admin", file: "std/profiles.cap" },
    change: { edits: [{ file: "first-agent/system.cap", replacement: expect.stringContaining("auto notes.delete") }] },
  });
  expect(json.checks).toHaveLength(6);
});

test("if a question is not quoted, the message shows how to quote it", async () => {
  const { status, out, err } = await say("operator", "notes.write", "path=/x");
  expect({ status, out }).toEqual({ status: 2, out: "" });
  expect(err).toBe(
    `capc why: 'notes.write' is one operand too many; quote the question as one word: capc why first-agent/system.cap 'operator notes.write {"path": "/x"}'; see capc why --help\n`,
  );
  expect((await say("operator notes.write path=/x")).err).toMatch(/: path=\/x; did you mean \{"path": "\/x"\}\?\n$/);
});

test.each([
  ["notes.read", "a question is SESSION"],
  ["operator. notes.read", "a question is SESSION"],
  ["a.b.c.d notes.read", "a question is SESSION"],
  ["operator notes.read {path}", "neither a JSON object nor"],
  ["operator notes.read [1]", "neither a JSON object nor"],
  ['operator notes.read { path: "a" } expect auto  as visitor call notes.read {}', "neither a JSON object nor"],
  ["nobody notes.read", "nobody can be in a session nobody; there are "],
  ["opertor notes.read", "nobody can be in a session opertor; did you mean operator?"],
])("%s is a usage error", async (question, reason) => {
  expect(await say(question)).toMatchObject({ status: 2, out: "", err: expect.stringContaining(reason) });
});

/** Makes a folder with a page whose rules depend on the source of an argument. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "capc-why-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = `system asking {
  use std.tools
  backend canned { stub }
  service letters  : Files { state 1 MiB  label public/untrusted }
  service contacts : Files { state 1 MiB  label public/reviewed  strong read.content }
  session clerk {
    kind operator
    models { auto canned }
    permit { auto readOnly  auto letters.write where content from person, contacts.read.content else forbidden }
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot clerk }
}
`;
  writeFileSync(join(folder, "system.cap"), page);
  return folder;
}

test("text that came before the call decides which source an argument has", async () => {
  const folder = makeFolder();
  const ask = (...words: string[]) =>
    runCommand(["why", "system.cap", 'clerk letters.write {"path": "a", "content": "bob@b.example"}', ...words], {
      folder,
    });
  const answer = async (...words: string[]): Promise<string> => JSON.parse((await ask(...words, "--json")).out).answer;
  expect(await answer()).toBe("refusedByPolicy");
  expect((await ask()).out).toContain("forbidden, for its condition fails");
  expect(await answer("--typed", "write to bob@b.example")).toBe("auto");
  expect(await answer("--typed", "write to eve@e.example")).toBe("refusedByPolicy");
  expect(await answer("--pasted", "write to bob@b.example")).toBe("refusedByPolicy");
  expect(await answer("--result", 'contacts.read {"content": "bob@b.example"}')).toBe("auto");
  expect(await answer("--result", 'letters.read {"content": "bob@b.example"}')).toBe("refusedByPolicy");
});

test("an earlier result raises the label of the conversation, as on the machine, and the explanation states it", async () => {
  const folder = makeFolder();
  const page = readFileSync(join(folder, "system.cap"), "utf8")
    .replace("models {", "clearance secret  models {")
    .replace("backend canned { stub", "backend canned { stub  clearance secret")
    .replace(
      "auto letters.write where content from person, contacts.read.content else forbidden",
      "auto letters.write",
    );
  const secret = page.replace(
    "service contacts : Files { state 1 MiB  label public",
    "service contacts : Files { state 1 MiB  label secret",
  );
  expect(secret).not.toBe(page);
  writeFileSync(join(folder, "system.cap"), secret);
  const ask = (...words: string[]) =>
    runCommand(["why", "system.cap", 'clerk letters.write {"path": "a", "content": "x"}', ...words], { folder });
  const result = ["--result", 'contacts.read {"content": "x"}'];
  const shown = (await ask(...result)).out;
  expect(shown).toContain(
    "\n  (the result of contacts.read raised the conversation from public/reviewed to secret/reviewed)\n",
  );
  expect(shown).toContain("flow       decides    the conversation is at secret/reviewed; ");
  expect(JSON.parse((await ask(...result, "--json")).out)).toMatchObject({
    answer: "refusedByPolicy",
    label: "secret/reviewed",
  });
  expect(JSON.parse((await ask("--json")).out)).toMatchObject({ answer: "auto", label: "public/reviewed" });
  const same = (await ask("--result", 'letters.read {"content": "x"}')).out;
  expect(same).toContain(
    "(the result of letters.read raised the conversation from public/reviewed to public/untrusted)",
  );
});

test.each([
  ["contacts.read", "a result is TOOL JSON"],
  ["contcts.read {}", "the page has no tool named contcts.read"],
  ["contacts.read {", "the result of contacts.read cannot be read as JSON"],
])("the result %j is a usage error", async (result, reason) => {
  const asked = ["why", "system.cap", "clerk letters.write", "--result", result];
  const { status, out, err } = await runCommand(asked, { folder: makeFolder() });
  expect({ status, out }).toEqual({ status: 2, out: "" });
  expect(err).toContain(reason);
});

test("a label that the page does not define is a usage error", async () => {
  expect(await say("operator notes.read", "--label", "cosmic")).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^capc why: cosmic is no label of this page; one is written LEVEL, .*: public < /),
  });
});
