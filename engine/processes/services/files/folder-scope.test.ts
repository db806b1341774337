import fc from "fast-check";
import { expect, test } from "vitest";
import { readWithin, refuseOutside } from "./folder-scope.ts";

test("words name the folders of each holder that has not all, as a URL writes them", () => {
  const within = readWithin(["books=/reports:/drafts/2026", "gate.operator=/", "own-1=/a%20b/c%C3%A9"]);
  expect([...(within ?? [])]).toEqual([
    ["books", [["reports"], ["drafts", "2026"]]],
    ["gate.operator", [[]]],
    ["own-1", [["a b", "cé"]]],
  ]);
  expect([...(readWithin([]) ?? [["no map"]])]).toEqual([]);
});

test.each([
  ["no folder", "books="],
  ["no holder", "=/reports"],
  ["a holder of other characters", "books of mine=/reports"],
  ["a folder that is not absolute", "books=reports"],
  ["one good folder and one that is none", "books=/reports:drafts"],
  ["an empty folder behind a good one", "books=/reports:"],
  ["half of an escape", "books=/a%2"],
  ["an escape in small letters", "books=/a%2f"],
  ["bytes that are no UTF-8", "books=/%FF"],
  ["a way upwards", "books=/reports/../secret"],
  ["an escaped way upwards", "books=/reports/%2E%2E/secret"],
  ["a zero byte", "books=/a%00b"],
  ["more levels than a path has", `books=${"/a".repeat(17)}`],
  ["a name that is too long", `books=/${"a".repeat(256)}`],
  ["a name of a file that is being written", "books=/.capos-unfinished-1"],
  ["blanks", "books=/reports /drafts"],
  ["nothing", ""],
])("a limit that cannot be read is none that can be kept: %s", (_, word) => {
  expect(readWithin([word])).toBeUndefined();
  expect(readWithin(["other=/fine", word])).toBeUndefined();
});

test("two words about one holder are refused: neither is the limit", () => {
  expect(readWithin(["books=/reports", "books=/drafts"])).toBeUndefined();
});

test("paths outside of the folders are refused in any form; a holder of the whole service has no limit", () => {
  const folders = readWithin(["books=/reports:/drafts/2026"])?.get("books");
  for (const path of ["reports", "reports/a.txt", "./reports/a", "reports//a", "drafts/2026/b"]) {
    expect(refuseOutside(folders, path), path).toBeUndefined();
  }
  for (const path of ["", ".", "report", "reports2/a", "drafts", "drafts/2025/b", "secret", "Reports/a"]) {
    expect(refuseOutside(folders, path), path).toEqual({ ok: false, reason: "this is outside of what was granted" });
  }
  expect(refuseOutside(undefined, "secret")).toBeUndefined();
  // A malformed path is refused where it is used, with its own reason.
  expect(refuseOutside(folders, "../secret")).toBeUndefined();
});

test("law: names that are written as a URL has them are read as they were, and what lies below them is inside", () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "é", " ", "%", ":", "=", "~", "語"), minLength: 1, maxLength: 6 })
    .filter((text) => text.trim() !== "");
  const folder = fc.array(name, { minLength: 1, maxLength: 4 });
  const written = (names: readonly string[]) => names.map((one) => `/${encodeURIComponent(one)}`).join("");
  fc.assert(
    fc.property(fc.array(folder, { minLength: 1, maxLength: 4 }), name, (folders, below) => {
      const read = readWithin([`books=${folders.map(written).join(":")}`])?.get("books");
      expect(read).toEqual(folders);
      for (const names of folders) {
        expect(refuseOutside(read, [...names, below].join("/"))).toBeUndefined();
        const [first = "", ...rest] = names;
        const isInside = folders.some(([other, ...others]) => other === `${first}x` && others.length <= rest.length);
        if (!isInside) expect(refuseOutside(read, [`${first}x`, ...rest, below].join("/"))).toBeDefined();
      }
    }),
    { numRuns: 200 },
  );
});
