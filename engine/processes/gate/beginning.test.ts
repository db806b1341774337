import { expect, test } from "vitest";
import { indexTables } from "../../lib/policy/index.ts";
import { answered, PUBLIC, row } from "../../lib/policy/testing/sample.ts";
import { beginState } from "./beginning.ts";

const NIGHTLY = { name: "nightly", source: "timer", address: "0 3 * * *", zone: "UTC", missed: "once", says: "Go." };

function openTables() {
  const ingresses = [{ ...NIGHTLY, row: 0, label: { ...PUBLIC, integrity: 0 } }];
  const read = indexTables(answered({ tools: [], rows: [row("operator", []), row("visitor", [])], ingresses }));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

test("a conversation of an ingress begins only for a gate of the session into which the ingress leads", () => {
  const tables = openTables();
  expect(beginState({ tables, session: "operator", ingress: "nightly" })).toMatchObject({ row: 0, unattended: true });
  expect(beginState({ tables, session: "visitor", ingress: "nightly" })).toBeUndefined();
  expect(beginState({ tables, session: "visitor" })).toMatchObject({ row: 1, unattended: false });
});
