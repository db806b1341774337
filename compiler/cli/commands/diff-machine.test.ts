// Tests of facts about the machine, which the policy tables do not contain. The diff must report each change, and
// whether the change may widen authority.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { compile } from "../../compile.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { collectMachineFacts, computeDifference } from "../../queries/diff/index.ts";
import { anotherThan, leavesOf } from "../../queries/diff/testing/leaves.ts";
import { runCommand } from "../memory-world.ts";
import { type CheckedPage, requireLawful } from "../page.ts";

const PIN = `pin sha256:${"a".repeat(64)}`;
const OTHER_PIN = `pin sha256:${"b".repeat(64)}`;
const PAGE = `system small version "1.0.0" {
  use std.tools
  compartments { finance }
  model mini { served "mini"  context 32k tokens  tools true }
  model small { weights "small.gguf"  arch lfm2  quantisation Q4_0 }
  backend canned { stub "replies.json"  clearance internal }
  backend far { remote openai "https://llm.example.net"  model mini  token vault.llm  clearance internal }
  backend near { cpu  model small  threads 1  memory 64 MiB  clearance internal }
  service notes : Files { state 1 MiB }
  service papers : Files { state 1 MiB }
  service changes : PatchSets { state 64 KiB  grant papers scope "/drafts" }
  service mine : Files { exec "mine.js"  grant notes }
  service status : HttpEndpoint {
    grant HttpEndpoint scope "https://a.example.net/x", "GET", "answers of 2 KiB", "bodies of 3 KiB", "within 5 s", "${PIN}", "token vault.one"
  }
  service pages : Fetch { grant Fetch scope "https://*", "GET" }
  session operator { kind operator  models { consent far  consent near  auto canned }  permit { auto readOnly  consent mutatingLocal  consent outboundNet } }
  session other extends operator { permit { forbidden mutatingLocal } }
  storage { disk "capos-data"  encrypt passphrase }
  network {
    address static  host "192.168.1.5/24"  router "192.168.1.1"  resolvers "192.168.1.1"
    collector "https://log.example.net/in", "within 10 s"
  }
  image { target linux  machine vm  firmware bios  boot operator }
}
`;

const folder = mkdtempSync(join(tmpdir(), "capc-diff-machine-"));
afterAll(() => rmSync(folder, { recursive: true }));
const FILES = {
  "mine.js": "export default {};\n",
  "other.js": "export default { };\n",
  "replies.json": "[]\n",
  "spare.json": "[ ]\n",
  "small.gguf": "no weights",
  "old.cap": PAGE,
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);

const say = (...words: string[]) => runCommand(["diff", ...words], { folder });

async function compiled(text: string): Promise<CheckedPage> {
  writeFileSync(join(folder, "new.cap"), text);
  const made = await compile(createDiskHost("2026-01-01"), join(folder, "new.cap"), {
    purpose: "check",
    advice: "left",
    proofs: "left",
  });
  expect(made.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  return requireLawful(made);
}

function sideOf(page: CheckedPage) {
  return { tables: indexPolicyTables(page.policy), machine: collectMachineFacts(page), flows: undefined };
}

/** Lists the changes; `!` marks a change that may widen authority. */
function shown(before: CheckedPage, after: CheckedPage): string[] {
  return computeDifference(sideOf(before), sideOf(after)).facts.map(
    ({ direction, widens, places, what }) => `${direction}${widens ? "!" : ""} ${places.join(", ")}: ${what}`,
  );
}

test("the removal of the collector is a widening, because no records are sent, and a narrowing, because the machine no longer connects to it", async () => {
  const [before, after] = [
    await compiled(PAGE),
    await compiled(PAGE.replace('    collector "https://log.example.net/in", "within 10 s"\n', "")),
  ];
  expect(shown(before, after)).toEqual([
    "widened! collector of the audit: records",
    "narrowed collector of the audit: may ask",
  ]);
});

test.each([
  ['"https://*"', '"https://*", "http://10.0.2.2:8080/docs"', "widened! service pages: may ask"],
  ['"https://a.example.net/x"', '"https://b.example.net"', "moved! service status: may ask"],
  ['"https://a.example.net/x"', '"https://a.example.net/"', "widened! service status: may ask"],
  ['"https://a.example.net/x"', '"https://a.example.net/x/y"', "narrowed service status: may ask"],
  ['"GET", ', "", "widened! service status: asks by"],
  ["answers of 2", "answers of 4", "widened! service status: bytes of an answer"],
  ["bodies of 3", "bodies of 1", "narrowed service status: bytes of a request"],
  ["within 5 s", "within 6 s", "widened! service status: milliseconds of a request"],
  [`"${PIN}", `, "", "widened! service status: pinned keys"],
  [`"${PIN}"`, `"${PIN}", "${OTHER_PIN}"`, "widened! service status: pinned keys"],
  [PIN, OTHER_PIN, "moved! service status: pinned keys"],
  [', "token vault.one"', "", "narrowed service status: credential"],
  ["vault.one", "vault.two", "moved! service status: credential"],
  ['"/drafts"', '"/drafts", "/reports"', "widened! service changes: holds papers"],
  ['"/drafts"', '"/"', "widened! service changes: holds papers"],
  ['"/drafts"', '"/drafts/a"', "narrowed service changes: holds papers"],
  [' scope "/drafts"', "", "widened! service changes: holds papers"],
  ["  grant notes", "", "narrowed service mine: holds notes"],
  ['exec "mine.js"', 'exec "other.js"', "moved! service mine: program"],
  ["papers : Files { state 1 MiB", "papers : Files { state 2 MiB", "widened! service papers: bytes on the data disk"],
  ["  encrypt passphrase", "", "widened! storage: encryption"],
  ["encrypt passphrase", "encrypt passphrase  create blank", "widened! storage: a blank disk"],
  ['"capos-data"', '"capos-other"', "moved! storage: disk"],
  ["192.168.1.5/24", "192.168.1.6/24", "moved! network: address"],
  ["192.168.1.5/24", "192.168.1.5/23", "moved! network: address"],
  ['  router "192.168.1.1"', "", "narrowed network: router"],
  ['resolvers "192.168.1.1"', 'resolvers "192.168.1.2"', "moved! network: resolvers"],
  ["https://log.example.net/in", "https://log.example.org/in", "moved! collector of the audit: may ask"],
  // A collector receives requests at one path only, so another path is another receiver.
  ["https://log.example.net/in", "https://log.example.net/", "moved! collector of the audit: may ask"],
  ["within 10 s", "within 20 s", "widened! collector of the audit: milliseconds of a request"],
  ["machine vm", "machine pc  console serial", "moved image: machine"],
  ["machine vm", "machine vm  console screen", "moved image: console"],
  ["firmware bios", "firmware bios, uefi", "widened! image: started by"],
  ["boot operator }\n}", "boot other }\n}", "moved! image: session that boots"],
  ["https://llm.example.net", "https://llm.example.org", "moved! backend far: may ask"],
  ["remote openai", "remote ollama", "moved! backend far: dialect"],
  ["  token vault.llm", "", "narrowed backend far: credential"],
  ['served "mini"', 'served "maxi"', "moved! backend far: model"],
  ['weights "small.gguf"', 'weights "mine.js"', "moved! backend near: model"],
  ["threads 1", "threads 2", "widened! backend near: threads"],
  ["memory 64", "memory 65", "widened! backend near: bytes of memory"],
  ["  memory 64 MiB", "", "moved! backend near: bytes of memory"],
  ['stub "replies.json"', 'stub "spare.json"', "moved! backend canned: replies"],
])("the change %s → %s is reported", async (from, to, expected) => {
  const [before, after] = [await compiled(PAGE), await compiled(PAGE.replace(from, to))];
  expect(shown(before, after)).toEqual([expected]);
  expect(shown(before, before)).toEqual([]);
});

/**
 * Fields of a compiled page that are not compared alone: they are part of another compared field, or are compared with
 * the tables.
 */
const ELSEWHERE = [
  /^services\.\d+\.own\.methods\.held/, // `holds`, and the tools of who is held
  /^services\.\d+\.holds\.\d+\.interfaceId$/, // of the service that is held
  /^services\.\d+\.standard$/, // a program of the library has another name and other bytes than any of the package
  /^services\.\d+\.name$/, // the place of its facts, and the provider of its tools
  /^backends\./, // told from the page, for what is only checked has no plan of weights
];

test("every field of a compiled page is compared, alone or as part of another field; an ignored new field fails this test", async () => {
  const page = await compiled(PAGE.replace("firmware bios", "trust sealed"));
  const { tables, ...plans } = page.policy;
  const facts = (policy: CheckedPage["policy"]) => collectMachineFacts({ ...page, policy });
  const told = JSON.stringify(facts(page.policy), texts);
  const untold = leavesOf(plans)
    .filter(({ path }) => !ELSEWHERE.some((known) => known.test(path)))
    .filter(({ value, setTo }) => {
      const restore = setTo(anotherThan(value));
      const same = JSON.stringify(facts({ tables, ...plans }), texts) === told;
      restore();
      return same;
    });
  expect(untold.map(({ path }) => path)).toEqual([]);
});

function texts(_: string, value: unknown): unknown {
  if (value instanceof Set) return [...value];
  return typeof value === "bigint" ? `${value}` : value;
}

test("--deny-widening also finds widenings outside of the tables, and needs a reason if the machine was not compared", async () => {
  writeFileSync(join(folder, "wider.cap"), PAGE.replace("  encrypt passphrase", ""));
  expect(await say("old.cap", "old.cap", "--deny-widening")).toMatchObject({ status: 0, err: "" });
  const denied = await say("old.cap", "wider.cap", "--deny-widening");
  expect(denied).toMatchObject({ status: 1, err: expect.stringContaining("1 of the changes widens") });
  expect(denied.out).toContain("widened   storage: encryption\n            yes → no\n");
  expect(await say("old.cap", "wider.cap", "--deny-widening", "--because", "CHG-7")).toMatchObject({ status: 0 });
  const { policy } = await compiled(PAGE);
  writeFileSync(join(folder, "tables.bin"), encodeMessage(PolicyTables, policy.tables));
  const unseen = await say("tables.bin", "wider.cap", "--deny-widening");
  expect(unseen.out).toContain("not compared: grants and scopes of services, ");
  expect(unseen).toMatchObject({ status: 1, err: expect.stringContaining("was not compared") });
  expect(await say("tables.bin", "wider.cap", "--deny-widening", "--because", "CHG-7")).toMatchObject({ status: 0 });
});
