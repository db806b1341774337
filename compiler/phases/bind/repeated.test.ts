// Tests that a misspelt name causes one message, however often the name is used.

import { expect, test } from "vitest";
import { renderFactsPage } from "../../dev/fixtures/facts.ts";
import { boundPage } from "./testing/bound.ts";

async function saidOf(text: string) {
  const { findings } = await boundPage(text);
  return findings.map(({ message, fix, related }) => [message, fix?.replacement, related.map((one) => one.message)]);
}

const uses = (count: number) => Array.from({ length: count }, () => "auto nots.*").join("  ");

test.each<[number, readonly string[]]>([
  [2, ["here too"]],
  [3, ["here too", "here too"]],
  [4, ["here too", "here too, and in 1 more place"]],
  [5, ["here too", "here too, and in 2 more places"]],
])("an unknown name at %i places causes one finding without a fix", async (count, related) => {
  expect(await saidOf(renderFactsPage({ permit: uses(count) }))).toEqual([
    ["there is no service named `nots`", undefined, related],
  ]);
});

test("an unknown name at one place has a fix", async () => {
  expect(await saidOf(renderFactsPage({ permit: uses(1) }))).toEqual([
    ["there is no service named `nots`", "notes", []],
  ]);
});

test("tools of one misspelt service cause one finding, and misspelt tools one finding each", async () => {
  const services = "service drfts : Files {}";
  const owner = await saidOf(renderFactsPage({ services, permit: "auto drafts.read  auto drafts.write" }));
  expect(owner.map(([message]) => message)).toEqual(["there is no service named `drafts`"]);
  const own = await saidOf(renderFactsPage({ permit: "auto notes.raed  auto notes.wrte" }));
  expect(own.map(([message]) => message)).toEqual(["no tool is named `notes.raed`", "no tool is named `notes.wrte`"]);
});

test("tools of one misspelt service in a test cause one finding", async () => {
  const top = 'test "t" { as operator  call noes.read {} expect auto  call noes.write {} expect auto }';
  expect((await saidOf(renderFactsPage({ top }))).map(([message, , related]) => [message, related])).toEqual([
    ["there is no tool named `noes.read`", ["here too"]],
  ]);
});

test("equal findings about amounts are not merged, unlike findings about an unknown name, and keep the page's order", async () => {
  const said = await saidOf(
    renderFactsPage({ permit: "auto readOnli  auto readOnli } quota { 0 calls per turn  0 calls per day" }),
  );
  expect(said).toEqual([
    ["there is no category named `readOnli`", undefined, ["here too"]],
    ["`0 calls` is not an amount from 1 to 18446744073709551615 calls", undefined, []],
    ["`0 calls` is not an amount from 1 to 18446744073709551615 calls", undefined, []],
  ]);
});

test("a misspelt interface name is reported at its `interface` block, and not at uses of the correct name", async () => {
  const top = "interface Borad { method post : readOnly }  service drafts : Board {}";
  expect((await saidOf(renderFactsPage({ top }))).map(([message]) => message)).toEqual([
    "no schema defines an interface `Borad`",
  ]);
});

test("an unknown name is not reported if a declared name differs only in foreign letters, which another check reports", async () => {
  const services = "service n\u043etes : Files {}";
  expect(await saidOf(renderFactsPage({ services, permit: "auto notes.read" }))).toEqual([]);
});
