import { expect, test } from "vitest";
import { parseDateText, parseDurationText, renderDateText } from "./time-text.ts";

test.each([
  ["1970-01-01", "0"],
  ["2026-12-31", "1798675200000"],
  ["2026-12-31T00:00Z", "1798675200000"],
  ["2026-12-31T01:30:00+01:30", "1798675200000"],
  ["2026-12-30T23:00:00.000-01:00", "1798675200000"],
  ["2026-12-31T00:00:00.0000005Z", "1798675200000.0005"],
  ["1969-12-31T23:59:59.9995Z", "-0.5"],
  ["2024-02-29", "1709164800000"],
  ["0001-01-01", "-62135596800000"],
])("the date %s is %s ms", (text, milliseconds) => {
  expect(parseDateText(text)).toBe(milliseconds);
});

test.each([
  ...["", "2026", "2026-13-01", "2026-02-30", "2026-1-1", "2026-12-31T10:00:00", "2026-12-31 10:00Z", "31.12.2026"],
  ...["2026-12-31T24:00Z", "2026-12-31T10:60Z", "2026-12-31T10:00:60Z", "2026-12-31T10:00+24:00", " 2026-12-31"],
  ...["2026-12-31\n", "+2026-12-31", "２０２６-12-31", "2026-12-31T10Z", "2026-00-10"],
])("%j is not a date", (text) => {
  expect(parseDateText(text)).toBeUndefined();
});

test.each([
  ["5 min", "300000"],
  ["30 s", "30000"],
  ["1500 ms", "1500"],
  ["2h", "7200000"],
  ["PT5M", "300000"],
  ["P1DT2H3M4.5S", "93784500"],
  ["P2W", "1209600000"],
  ["PT0S", "0"],
  ["PT0.0000001S", "0.0001"],
])("the duration %s is %s ms", (text, milliseconds) => {
  expect(parseDurationText(text)).toBe(milliseconds);
});

test.each([
  "",
  "P",
  "PT",
  "P1DT",
  "P1M",
  "P1Y",
  "PT1.5M",
  "5",
  "5 days",
  "-5 min",
  "-PT5M",
  "1.5 h",
  "5  min",
  "P1W1D",
])("%j is not a duration", (text) => {
  expect(parseDurationText(text)).toBeUndefined();
});

test("milliseconds are written as the date that they are", () => {
  const known = ["1798675200000", "1798675201000", "1798675200001", "-62135596800000"];
  expect(known.map(renderDateText)).toEqual([
    "2026-12-31",
    "2026-12-31T00:00:01Z",
    "2026-12-31T00:00:00.001Z",
    "0001-01-01",
  ]);
  expect(["0.5", "1e99", "999999999999999999"].map(renderDateText)).toEqual([undefined, undefined, undefined]);
});
