import { expect, test } from "vitest";
import { movedSince } from "./toolchain.ts";

test("each part of a toolchain that moved is named with both versions", () => {
  const locked = { rustc: "rustc 1.96.0", "libc6-dev": "2.36-9" };
  expect(movedSince(locked, locked)).toEqual([]);
  expect(movedSince(locked, { rustc: "rustc 1.97.0" })).toEqual([
    "rustc is rustc 1.97.0; the committed programs were built with rustc 1.96.0",
    "libc6-dev is absent; the committed programs were built with 2.36-9",
  ]);
});
