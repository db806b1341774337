import { expect, test } from "vitest";
import { isHostName } from "./host-name.ts";

test("accepts only names that a URL can contain", () => {
  for (const name of ["a", "status.example.net", "xn--bcher-kva.example", "_dmarc.example"])
    expect(isHostName(name)).toBe(true);
  for (const name of [
    "",
    ".",
    "a.",
    ".a",
    "A.example",
    "a..b",
    "-a.example",
    "a b",
    "a\0",
    `${"a".repeat(64)}.b`,
    "[::1]",
  ]) {
    expect(isHostName(name), name).toBe(false);
  }
});
