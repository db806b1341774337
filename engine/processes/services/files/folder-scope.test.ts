import fc from "fast-check";
import { expect, test } from "vitest";
import { readWithin, refuseOutside } from "./folder-scope.ts";

test("an argument `HOLDER=FOLDERS` names the folders to which a holder is restricted, in URL encoding", () => {
  const within = readWithin(["books=/reports:/drafts/2026", "gate.operator=/", "own-1=/a%20b/c%C3%A9"]);
  expect([...(within ?? [])]).toEqual([
    ["books", [["reports"], ["drafts", "2026"]]],
    ["gate.operator", [[]]],
    ["own-1", [["a b", "cé"]]],
  ]);
  expect([...(readWithin([]) ?? [["no map"]])]).toEqual([]);
});

test.each([
  ["a missing folder", "books="],
  ["a missing holder", "=/reports"],
  ["a holder with other characters", "books of mine=/reports"],
  ["a folder that is not absolute", "books=reports"],
  ["a valid folder and an invalid one", "books=/reports:drafts"],
  ["an empty folder after a valid one", "books=/reports:"],
  ["an incomplete escape", "books=/a%2"],
  ["an escape in lower case", "books=/a%2f"],
  ["bytes that are not UTF-8", "books=/%FF"],
  ["a path that climbs", "books=/reports/../secret"],
  ["an escaped path that climbs", "books=/reports/%2E%2E/secret"],
  ["a zero byte", "books=/a%00b"],
  ["too many levels", `books=${"/a".repeat(17)}`],
  ["a name that is too long", `books=/${"a".repeat(256)}`],
  ["a name of a file that is being written", "books=/.capos-unfinished-1"],
  ["a blank", "books=/reports /drafts"],
  ["an empty text", ""],
])("refuses a malformed restriction to folders: %s", (_, word) => {
  expect(readWithin([word])).toBeUndefined();
  expect(readWithin(["other=/fine", word])).toBeUndefined();
});

test("refuses two restrictions of one holder", () => {
  expect(readWithin(["books=/reports", "books=/drafts"])).toBeUndefined();
});

test("refuses a path outside of the folders, whatever its spelling; an unrestricted holder has no limit", () => {
  const folders = readWithin(["books=/reports:/drafts/2026"])?.get("books");
  for (const path of ["reports", "reports/a.txt", "./reports/a", "reports//a", "drafts/2026/b"]) {
    expect(refuseOutside(folders, path), path).toBeUndefined();
  }
  for (const path of ["", ".", "report", "reports2/a", "drafts", "drafts/2025/b", "secret", "Reports/a"]) {
    expect(refuseOutside(folders, path), path).toEqual({ ok: false, reason: "this is outside of what was granted" });
  }
  expect(refuseOutside(undefined, "secret")).toBeUndefined();
  // `refuseOutside` does not refuse a path with `..`. The method that uses the path refuses it, with another reason.
  expect(refuseOutside(folders, "../secret")).toBeUndefined();
});

test("property: reads URL-encoded folder names, and accepts paths below these folders", () => {
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
