import fc from "fast-check";
import { expect, test } from "vitest";
import { findDue, type Missed, MOST_RUNS, ON_TIME_MS, readSchedule, type Schedule } from "./index.ts";

function schedule(expression: string, zone = "UTC"): Schedule {
  const read = readSchedule(expression, zone);
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

function runsBetween(from: string, to: string, expression: string, zone: string): readonly string[] {
  const due = findDue(schedule(expression, zone), "each", { through: Date.parse(from), now: Date.parse(to) });
  return due.runs.map((at) => new Date(at).toISOString().slice(0, 16));
}

test.each([
  ["", "it has 1 fields"],
  ["0 3 * *", "it has 4 fields"],
  ["0 0 3 * * *", "it has 6 fields"],
  ["0  3 * * *", "it has 6 fields"],
  ["61 * * * *", "it is not a cron expression"],
  ["0 3 L * *", "its day of the month is not"],
  ["0 3 * * 5#2", "its day of the week is not"],
  ["0 3 * Foo *", "its month is not"],
  ["@daily", "it has 1 fields"],
  ["0 0 31 2 *", "it has no run"],
  ["5-1 * * * *", "it is not a cron expression"],
  [`0 3 * * ${"1,".repeat(60)}1`, "it has more than 100 characters"],
])("refuses the expression %j", (expression, reason) => {
  const read = readSchedule(expression, "UTC");
  expect(read.ok ? "accepted" : read.reason).toContain(reason);
});

test.each([
  ["Europe/Berl", "its time zone is not one"],
  ["", "its time zone is not one"],
  ["+02:00", "its time zone is not one"],
  ["europe/berlin", "write its time zone as Europe/Berlin"],
  ["../../etc", "its time zone is not one"],
])("refuses the time zone %j", (zone, reason) => {
  const read = readSchedule("0 3 * * *", zone);
  expect(read.ok ? "accepted" : read.reason).toContain(reason);
});

test("accepts old names of zones, lists, ranges, steps, and names of months and days", () => {
  for (const [expression, zone] of [
    ["0 3 * * *", "Asia/Calcutta"],
    ["*/15 8-18 1,15 jan-jun MON-FRI", "America/New_York"],
  ] as const)
    expect(readSchedule(expression, zone)).toEqual({ ok: true, value: { expression, zone } });
});

test("a run at a time that the zone skips starts right after the gap, once", () => {
  expect(runsBetween("2026-03-28T12:00Z", "2026-03-30T12:00Z", "30 2 * * *", "Europe/Berlin")).toEqual([
    "2026-03-29T01:00",
    "2026-03-30T00:30",
  ]);
});

test("if the clock repeats an hour, a run at a fixed time starts once, and `*/30` also starts runs in the second one", () => {
  const [from, to] = ["2026-10-24T12:00Z", "2026-10-26T12:00Z"];
  expect(runsBetween(from, to, "30 2 * * *", "Europe/Berlin")).toEqual(["2026-10-25T00:30", "2026-10-26T01:30"]);
  expect(runsBetween("2026-10-24T23:50Z", "2026-10-25T02:10Z", "*/30 * * * *", "Europe/Berlin")).toHaveLength(5);
});

test("a day of the month and a day of the week are alternatives", () => {
  expect(runsBetween("2026-01-01T00:00Z", "2026-01-14T00:00Z", "0 0 13 * 5", "UTC")).toEqual([
    "2026-01-02T00:00",
    "2026-01-09T00:00",
    "2026-01-13T00:00",
  ]);
});

test("after a week without power, `skip` starts nothing, `once` starts the last run, and `each` starts all runs", () => {
  const [through, now] = [Date.parse("2026-01-01T04:00Z"), Date.parse("2026-01-08T04:00Z")];
  const due = (missed: Missed) => findDue(schedule("0 3 * * *"), missed, { through, now });
  const last = Date.parse("2026-01-08T03:00Z");
  expect(due("skip")).toEqual({ runs: [], skipped: 7, through: now });
  expect(due("once")).toEqual({ runs: [last], skipped: 6, through: now });
  expect(due("each")).toMatchObject({ skipped: 0, through: now });
  expect(due("each").runs).toHaveLength(7);
});

test("`skip` still starts a run that is at most a minute late", () => {
  const planned = Date.parse("2026-01-02T03:00Z");
  const due = (late: number) =>
    findDue(schedule("0 3 * * *"), "skip", { through: planned - 5_000, now: planned + late }).runs;
  expect([due(0), due(ON_TIME_MS), due(ON_TIME_MS + 1)]).toEqual([[planned], [planned], []]);
});

test("of more than a hundred missed runs, `once` starts the last, and `each` returns the rest at the next call", () => {
  const every = schedule("* * * * *");
  const span = { through: Date.parse("2026-01-01T00:00Z"), now: Date.parse("2027-01-01T00:00:30Z") };
  expect(findDue(every, "once", span)).toEqual({
    runs: [Date.parse("2027-01-01T00:00Z")],
    skipped: MOST_RUNS - 1,
    through: span.now,
  });
  const first = findDue(every, "each", span);
  expect(first.runs).toHaveLength(MOST_RUNS);
  expect(first.through).toBe(first.runs.at(-1));
  expect(findDue(every, "each", { ...span, through: first.through }).runs[0]).toBe(first.through + 60_000);
});

test("property: whatever the clock does, no run is returned twice, and `each` returns every run up to the latest time", () => {
  const every = schedule("*/20 * * * *", "Europe/Berlin");
  const begin = Date.parse("2026-03-28T22:00Z");
  // Minutes that the clock moves between two calls; negative if somebody sets it back.
  const moves = fc.array(fc.integer({ min: -300, max: 300 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(moves, (steps) => {
      let [through, now, latest] = [begin, begin, begin];
      const started: number[] = [];
      for (const minutes of steps) {
        now += minutes * 60_000;
        latest = Math.max(latest, now);
        const due = findDue(every, "each", { through, now });
        expect(due.through).toBeGreaterThanOrEqual(through);
        through = due.through;
        started.push(...due.runs);
      }
      expect(started).toEqual(findDue(every, "each", { through: begin, now: latest }).runs);
    }),
    { numRuns: 40 },
  );
});
