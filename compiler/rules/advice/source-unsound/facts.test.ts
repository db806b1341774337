import { expect, test } from "vitest";
import { compile } from "../../../compile.ts";
import { BESIDE } from "../../../dev/fixtures/facts.ts";
import { SCHEMA_HEAD } from "../../../dev/fixtures/imports.ts";
import { testSurroundings } from "../../../dev/fixtures/surroundings.ts";
import { updateLock } from "../../../phases/reflect/index.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";

const SCHEMA = `${SCHEMA_HEAD} interface Book {
  list @0 () -> (name :Text) $Capos.category("readOnly");
  note @1 () -> (name :Text) $Capos.category("readOnly") $Capos.label("public/untrusted");
  add @2 (name :Text) -> () $Capos.category("mutatingLocal");
}`;

/** Returns the advice about `strong`, given attributes of the service and rules of the session. */
async function adviseStrong(service: string, permit: string): Promise<readonly string[]> {
  const page = `system s version "1.0.0" {
  use std.tools
  use capnp "book.capnp" as book
  confidentiality { public }  integrity { untrusted < reviewed }
  service people : book.Book { exec "book.js"  ${service} }
  backend canned { stub }
  session operator { kind operator  models { auto canned }  permit { ${permit} } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}`;
  const files = { ...BESIDE, "/book.capnp": SCHEMA, "/book.js": "export default {}", "/system.cap": page };
  const { text: lock = "" } = await updateLock(createMemoryHost(files), "/system.cap");
  const host = createMemoryHost({ ...files, "/cap.lock": lock });
  const { advice } = await compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
  return advice.flatMap(({ code, message }) => (code === "strong-unsound" ? [message] : []));
}

test("a strong field is reported if its method has an untrusted label, or has no label and its service is untrusted", async () => {
  const reviewed = "label public/reviewed  strong list.name, note.name";
  expect(await adviseStrong(reviewed, "auto readOnly  consent people.add")).toEqual([
    "`note.name` is declared `strong`, but `people.note` gives untrusted text",
  ]);
  const untrusted = "label public/untrusted  strong list.name";
  expect(await adviseStrong(untrusted, "auto readOnly  consent people.add")).toEqual([
    "`list.name` is declared `strong`, but `people.list` gives untrusted text",
  ]);
});

test("a strong field is reported if the agent may write any text to its service without approval", async () => {
  const strong = "label public/reviewed  strong list.name";
  expect(await adviseStrong(strong, "auto readOnly  auto people.add")).toEqual([
    "`list.name` is declared `strong`, but `people.add` may be called without approval",
  ]);
  expect(await adviseStrong(strong, "auto readOnly  auto people.add where name from person else consent")).toEqual([]);
});
