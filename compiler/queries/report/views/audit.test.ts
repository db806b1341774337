import { expect, test } from "vitest";
import { ActivityBuilder } from "../../activity/index.ts";
import { SampleLog } from "../../replay/testing/log.ts";
import { buildAuditView } from "./audit.ts";

const VERIFIED = {
  log: "audit.log",
  verification: "verified",
  trust: "verified" as const,
  foreign: 0,
  timeless: 0,
  visible: [],
};

test("a log with the last possible date has a timeline up to this date", () => {
  const builder = new ActivityBuilder();
  for (const { record } of new SampleLog().boot().ran("notes.read", {}).links)
    builder.take({ ...record, wallMs: 8_640_000_000_000_000n });
  const { span, timeline } = buildAuditView({ ...VERIFIED, activity: builder.build() });
  expect(span).toBe("+275760-09-13 00:00 to +275760-09-13 00:00 UTC");
  expect([timeline?.bars.length, timeline?.last]).toEqual([1, "+275760-09-13 00:00"]);
});
