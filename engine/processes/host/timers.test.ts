import { expect, test } from "vitest";
import { readTables } from "../../lib/policy/index.ts";
import { answered, PUBLIC, row } from "../../lib/policy/testing/sample.ts";
import { PolicyTables } from "../../lib/wire/generated/policy.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import { listTimers } from "./timers.ts";

const INGRESS = { row: 0, label: { ...PUBLIC, integrity: 0 } };

/** Returns the timers of a page whose session `operator` has a mail ingress and a timer with this schedule. */
function listed(address: string) {
  const bytes = encodeMessage(
    PolicyTables,
    answered({
      rows: [row("operator", [])],
      tools: [],
      ingresses: [
        { ...INGRESS, name: "desk", source: "mail", address: "a@example.org", zone: "", missed: "", says: "" },
        { ...INGRESS, name: "nightly", source: "timer", address, zone: "UTC", missed: "each", says: "Sum up." },
      ],
    }),
  );
  const tables = readTables(bytes);
  if (!tables.ok) throw new Error(tables.reason);
  return listTimers(bytes, tables.value);
}

test("a timer has the schedule, the message and the label of its ingress, and other ingresses are not timers", () => {
  const timers = listed("0 3 * * *");
  expect(timers).toMatchObject({
    ok: true,
    value: [
      {
        name: "nightly",
        session: "operator",
        schedule: { expression: "0 3 * * *", zone: "UTC" },
        missed: "each",
        submission: { request: "Sum up.", requester: "", ingress: "nightly", label: Buffer.from("public/untrusted") },
      },
    ],
  });
});

test("a schedule that cannot be read names the ingress", () => {
  expect(listed("3:00")).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/^ingress nightly: it has 1 fields/),
  });
});
