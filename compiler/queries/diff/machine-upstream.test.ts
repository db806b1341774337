// Tests the reports about changes of a page with `target capos`: of its grants and its principals, with their effect on
// authority.

import { expect, test } from "vitest";
import { compilePage } from "../../dev/fixtures/facts.ts";
import { PROGRAMS } from "../../dev/fixtures/upstream.ts";
import { diffFacts } from "./facts.ts";
import { collectMachineFacts } from "./machine.ts";

const PAGE = `system small version "1.0.0" {
  use std.tools
  backend canned { stub }
  service clock : Clock { exec "clock"  grant kernel.endpoint scope "as clock", "exported"  grant kernel.wall_clock  grant kernel.system_info }
  service journal : Logs { exec "journal"  grant kernel.log_reader  grant clock scope "export clock", "discloses principal_kind" }
  session operator { kind operator  models { auto canned }  permit { auto readOnly } }
  session visitor { kind guest  models { auto canned }  permit { auto readOnly } }
  image {
    target capos  kernel "boot/capos"  limine "boot/limine"  boot operator  hostname desk  motd hello  log info
    init "console", "process_spawner", "boot_package", "log_reader"  restart "journal on-failure"  exits journal
  }
}
`;

async function factsOf(text: string) {
  const { policy, model, diagnostics } = await compilePage(text, PROGRAMS);
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
  if (policy === undefined || model === undefined) throw new Error("a lawful page has a policy");
  return collectMachineFacts({ policy, model });
}

test.each([
  ['init "console"', 'init "nic as console"', ["moved! image: init holds console"]],
  ['"log_reader"', '"log_reader", "nic"', ["widened! image: init holds nic"]],
  ['init "console", ', "init ", ["narrowed image: init holds console"]],
  ['init "console"', 'init "console discloses auth_strength"', ["widened! image: init holds console"]],
  ["boot/capos", "boot/other", ["moved! image: kernel"]],
  ["boot/limine", "boot/other", ["moved! image: loader"]],
  ["exits journal", "exits journal  tables none", ["widened! image: policy tables in the manifest"]],
  ["exits journal", "exits clock", ["moved image: the machine ends with"]],
  ["on-failure", "always", ["moved service journal: started again"]],
  ["wall_clock", "wall_clock  grant kernel.console", ["widened! service clock: capability console"]],
  ["  grant kernel.wall_clock", "", ["narrowed service clock: capability wall_clock"]],
  [
    "wall_clock  grant kernel.system_info",
    'timer scope "as wall_clock"  grant kernel.system_info',
    ["moved! service clock: capability wall_clock"],
  ],
  ["kernel.wall_clock", 'kernel.wall_clock scope "exported"', ["widened! service clock: exports wall_clock"]],
  ['"discloses principal_kind"', '"badge 7"', ["moved! service journal: capability clock"]],
  ['principal_kind"', 'principal_kind", "discloses auth_strength"', ["widened! service journal: capability clock"]],
  [', "discloses principal_kind"', "", ["narrowed service journal: capability clock"]],
  ["kind guest", "kind operator", ["moved! visitor: kind of its accounts"]],
])("the change %s → %s is reported", async (from, to, expected) => {
  const [before, after] = [await factsOf(PAGE), await factsOf(PAGE.replace(from, to))];
  const changes = diffFacts(before, after).map(
    ({ direction, widens, places, what }) => `${direction}${widens ? "!" : ""} ${places.join(", ")}: ${what}`,
  );
  expect(changes).toEqual(expected);
  expect(diffFacts(after, after)).toEqual([]);
});

test("a change to target capos is reported as a widening", async () => {
  const bare = `system small version "1.0.0" {
    use std.tools
    backend canned { stub }
    service journal : Logs {}
    session operator { kind operator  models { auto canned }  permit { auto readOnly } }
    image { target linux  machine vm  boot operator }
  }`;
  const linux = await factsOf(bare);
  const upstream = await factsOf(bare.replace("target linux  machine vm", "target capos"));
  const changes = diffFacts(linux, upstream).filter(({ what }) => what === "target");
  expect(changes).toMatchObject([{ widens: true, places: ["image"] }]);
});
