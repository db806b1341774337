// Tests that `make coverage` does not count unmeasured code as covered, and judges each part of the repository
// separately.

import { expect, test } from "vitest";
import { checkClaims, countRoomLines, drawLines } from "./lines.ts";

const file = (covered: number, total: number) => ({ lines: { total, covered, skipped: 0, pct: 0 }, branches: {} });

const summaryOf = (files: Record<string, object>) => ({
  total: file(0, 0),
  ...Object.fromEntries(Object.entries(files).map(([path, lines]) => [`/house/${path}`, lines])),
});

const roomsOf = (files: Record<string, object>) => countRoomLines(summaryOf(files), "/house");

const ENOUGH = {
  "lang/text/span.ts": file(95, 100),
  "compiler/phases/bind/bind.ts": file(19, 20),
  "engine/processes/gate/gate.ts": file(9, 10),
};

test("sums lines by room, sorted by name", () => {
  const rooms = roomsOf({
    "lang/grammar/rules/task.ts": file(1, 2),
    "compiler/compile.ts": file(3, 3),
    "lang/grammar/parse.ts": file(4, 5),
    "compiler/rules/laws/waiver/rule.ts": file(0, 1),
  });
  expect(rooms).toEqual([
    { room: "compiler", run: 3, all: 3 },
    { room: "compiler/rules/laws", run: 0, all: 1 },
    { room: "lang/grammar", run: 5, all: 7 },
  ]);
});

test("the table has a row for each room with lines, and for each part of the repository", () => {
  const rooms = roomsOf({
    ...ENOUGH,
    "lang/tree/file.ts": file(0, 0),
    "compiler/rules/laws/waiver/rule.ts": file(20, 20),
  });
  expect(drawLines(rooms)).toBe(
    [
      "compiler/phases/bind      95.0 %  19 of 20 lines\n",
      "compiler/rules/laws      100.0 %  20 of 20 lines\n",
      "engine/processes/gate     90.0 %  9 of 10 lines\n",
      "lang/text                 95.0 %  95 of 100 lines\n",
      "all lang                  95.0 %  95 of 100 lines\n",
      "all compiler              97.5 %  39 of 40 lines\n",
      "all engine                90.0 %  9 of 10 lines\n",
    ].join(""),
  );
});

test.each([
  ["enough lines", roomsOf(ENOUGH), []],
  ["one line too few", roomsOf({ ...ENOUGH, "lang/text/span.ts": file(94, 100) }), ["lang"]],
  [
    "one line of the engine too few",
    roomsOf({ ...ENOUGH, "engine/processes/gate/gate.ts": file(89, 100) }),
    ["engine"],
  ],
  ["parts without counts", roomsOf({ "lang/text/span.ts": file(100, 100) }), ["compiler", "engine"]],
  ["nothing counted", countRoomLines(undefined, "/house"), ["lang", "compiler", "engine"]],
])("tests must run enough lines of each part of the repository: %s", (_, rooms, failed) => {
  const claims = checkClaims(rooms);
  expect(claims.failures.map(({ name }) => name)).toEqual(failed.map((part) => `lines of ${part}`));
  expect(claims).toMatchObject({ passed: 3 - failed.length, failed: failed.length });
});
