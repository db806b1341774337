import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readScript } from "../../machine/chat/script.ts";
import { runCommand } from "../memory-world.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-prove-"));
  writeFileSync(join(folder, "system.cap"), PAGE);
  writeFileSync(join(folder, "broken.cap"), PAGE.replace("backend canned", "backend cannd"));
  writeFileSync(join(folder, "wrong.cap"), PAGE.replace("assert never", "assert never call Files.write  assert never"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const PAGE = `system desk version "1.0.0" {
  use std.tools
  service notes : Files { state 1 MiB }
  backend canned { stub }
  session operator {
    kind operator
    models { auto canned }
    permit { auto readOnly  consent mutatingLocal  forbidden destructive }
  }
  assert never call mutatingLocal ungated
  waive trifecta because "CHG-1: nothing leaves this machine"
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

const say = (...words: string[]) => runCommand(["prove", ...words], { folder });

test("lists all assertions of the page and all inherited ones with their verdicts, and waivers with their reasons", async () => {
  const { status, out, err } = await say("system.cap");
  expect([status, err]).toEqual([0, ""]);
  expect([...out.matchAll(/^(\w+) {2,}(\S.*)$/gm)].map(([, verdict, words]) => `${verdict} ${words}`)).toEqual([
    "proved assert never call mutatingLocal ungated (system.cap:10:3)",
    "proved remote-clearance, of every page",
    "proved anonymous-asks, of every page",
    "proved guest-local, of every page",
    "proved audited, of every image",
    "proved model-isolated, of every image",
    "proved no-self-widening, of every image",
    "waived trifecta",
    "questions operator may ask without end, for example before calls of notes.write; no quota of prompts",
  ]);
  expect(out).toContain("\n              to limit the questions, write `quota { 20 prompts per conversation }`\n");
  // All these proofs examined equally many states and labels, so these numbers are printed once.
  expect(out.match(/^ +\d+ states, \d+ labels, releases used: none$/gm)).toHaveLength(1);
  expect(out).toMatch(/releases used: none\ninherited assertions\nproved {8}remote-clearance, of every page\nproved /);
  const words = out.replaceAll(/\s+/g, " ");
  expect(words).toContain("premises A proof holds for conversations of any length and order, across sessions");
  expect(words.split("A proof holds for conversations")).toHaveLength(2);
  expect(out).toContain('because "CHG-1: nothing leaves this machine"');
  expect(out).toMatch(/^7 proved, 0 refuted, 0 undetermined, 1 waived$/m);
});

test.each([
  [
    "20 prompts per conversation",
    "may ask without end, for example before calls of notes.write; at most 20 by quota 20 prompts per conversation",
    false,
  ],
  [
    "20 prompts per turn",
    "may ask without end, for example before calls of notes.write; not limited by quota 20 prompts per turn",
    true,
  ],
  [
    "9 calls per conversation",
    "asks at most 9 times a conversation (quota 9 calls per conversation); no quota of prompts",
    false,
  ],
])("says how often a conversation with the quota %s asks people", async (quota, said, isHelped) => {
  writeFileSync(
    join(folder, "quota.cap"),
    PAGE.replace("forbidden destructive }", `forbidden destructive }  quota { ${quota} }`),
  );
  const { out } = await say("quota.cap");
  expect(out).toContain(`questions     operator ${said}\n`);
  expect(out.includes("to limit the questions")).toBe(isHelped);
});

test("says that a session never asks people, without a word about quotas", async () => {
  writeFileSync(join(folder, "never.cap"), PAGE.replace("consent mutatingLocal", "forbidden mutatingLocal"));
  expect((await say("never.cap")).out).toContain("questions     operator never asks\n");
});

test("lists lines over which looser lines take precedence, each with an example call and the reason of the looser line", async () => {
  const loosened = (comment: string) =>
    PAGE.replace("service notes", "service board : Files { state 1 MiB }\n  service notes")
      .replace(
        "forbidden destructive",
        `forbidden destructive\n      forbidden Files.write where path under "/a" else consent\n${comment}      auto notes.write`,
      )
      .replace("  assert never call mutatingLocal ungated\n", "");
  writeFileSync(join(folder, "loosened.cap"), loosened(""));
  const { out } = await say("loosened.cap");
  expect(out).toContain(
    'loosened      forbidden Files.write where path under "/a" else consent in operator: not for `notes.write`\n',
  );
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    'auto notes.write (loosened.cap:11:7) goes before it: notes.write {"content":"","path":"a"}: forbidden → auto no reason is given',
  );
  writeFileSync(join(folder, "loosened.cap"), loosened('      // capc: allow line-loosened because "CHG-2"\n'));
  expect((await say("loosened.cap")).out).toContain('\n              because "CHG-2"\n');
  expect(JSON.parse((await say("loosened.cap", "--json")).out)).toMatchObject({
    loosened: [{ place: "operator", by: ["auto notes.write"], tools: ["notes.write"], because: "CHG-2" }],
  });
});

test("a page for upstream's kernel has no proofs about processes, because its image has none of capc's processes", async () => {
  writeFileSync(join(folder, "upstream.cap"), PAGE.replace("target linux  machine vm", "target capos"));
  const { out, err } = await say("upstream.cap");
  expect(err).toBe("");
  expect(out).toContain("remote-clearance, of every page");
  expect(out).not.toContain("of every image");
});

test("proves only the given assertion, and shows its counterexample call by call", async () => {
  expect((await say("system.cap", "assert always stepUp destructive")).out).toMatch(/^1 proved, 0 refuted/m);
  const { status, out } = await say("system.cap", "assert never call notes.write", "assert never call notes.delete");
  expect(status).toBe(1);
  expect(out).toContain("1 proved, 1 refuted, 0 undetermined, 0 waived\n");
  expect(out).toMatch(/^refuted +assert never call notes\.write \(the command line:1:1\)$/m);
  expect(out).toContain("1. a conversation in operator");
  expect(out).toMatch(/notes\.write \{"content":"","path":""\}: consent by `consent mutatingLocal` \(system\.cap:8:/);
});

test("JSON output contains each assertion with its verdict, and its counterexample step by step", async () => {
  const { status, out } = await say("system.cap", "assert never call notes.write", "--json");
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    system: "desk",
    assertions: [
      {
        assertion: "assert never call notes.write",
        of: "page",
        verdict: "refuted",
        witness: [{ session: "operator", task: "", steps: [{ kind: "call", tool: "notes.write", gate: "consent" }] }],
      },
    ],
    waived: [],
  });
});

test("writes a counterexample as a script, and writes none without a counterexample", async () => {
  const { status, err } = await say("system.cap", "assert never call notes.write", "--script", "out.chat");
  expect([status, err]).toEqual([1, "capc prove: out.chat plays `assert never call notes.write`\n"]);
  const script = readFileSync(join(folder, "out.chat"), "utf8");
  expect(readScript(script, () => undefined)).toMatchObject({ ok: true });
  expect(script).toContain('> /tool notes.write {"content":"","path":""}\n? allow\n');
  expect(await say("system.cap", "--script", "none.chat")).toMatchObject({
    status: 2,
    err: "capc prove: nothing is refuted: there is no script to write\n",
  });
});

test("refutes an assertion with a very high limit, but writes no script of more than 1000 calls for it", async () => {
  const { status, out, err } = await say(
    "system.cap",
    "assert limit 99999999999 calls per day",
    "--script",
    "long.chat",
  );
  expect([status, out]).toEqual([2, expect.stringContaining("100000000000 times")]);
  expect(err).toContain(
    "no script can play `assert limit 99999999999 calls per day`: it takes more than 1000 calls of",
  );
});

test.each([
  ["never call notes.write", "error[syntax]"],
  ["use std.tools", "what is asked is written as a page writes it"],
  ["assert never call Fles.write", "there is no interface named `Fles`"],
  ["assert never call\u202e Files.write", "the command line"],
])("%j is a usage error", async (asked, words) => {
  expect(await say("system.cap", asked)).toMatchObject({ status: 2, out: "", err: expect.stringContaining(words) });
});

test("an invalid assertion on the command line is a finding in JSON too", async () => {
  const { status, out, err } = await say("system.cap", "never call notes.write", "--json");
  expect([status, err, JSON.parse(out)]).toMatchObject([2, "", { diagnostics: [{ code: "syntax" }] }]);
});

test("a page with errors has no proofs, and a missing page is not a finding", async () => {
  expect(await say("broken.cap", "assert never trifecta")).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringContaining("error[unknown-name]"),
  });
  expect(await say("none.cap")).toMatchObject({ status: 3, err: expect.stringContaining("does not exist") });
});

test("check reports a failed assertion as an error; prove lists it among the other assertions", async () => {
  const check = await runCommand(["check", "wrong.cap"], { folder });
  expect([check.status, check.err]).toEqual([1, expect.stringContaining("error[assertion-refuted]")]);
  const { status, out } = await say("wrong.cap");
  expect([status, out]).toEqual([1, expect.stringContaining("7 proved, 1 refuted, 0 undetermined, 1 waived")]);
});
