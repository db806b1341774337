import { expect, test } from "vitest";
import { startOf } from "../../../lang/text/index.ts";
import { argumentLeftOut, limitUnchecked } from "./codes.ts";

const AT = startOf("system.cap");

const NAMES = Array.from({ length: 14 }, (_, index) => `a${index}`);

test.each([
  [12, "`a11` (why)"],
  [13, "`a11` (why) and 1 more arguments"],
  [14, "`a11` (why) and 2 more arguments"],
])("twelve of %d arguments with unchecked limits are named", (count, end) => {
  const names = NAMES.slice(0, count);
  const omitted = names.map((name) => ({ name, reason: "why" }));
  const unheld = names.map((path) => ({ path, rules: ["why"] }));
  const told = [
    argumentLeftOut.at(AT, { tool: "mcp.draw", omitted }),
    limitUnchecked.at(AT, { tool: "mcp.draw", unheld }),
  ];
  for (const { message } of told) {
    expect(message).toContain("`a0` (why), `a1` (why)");
    expect(message.endsWith(end)).toBe(true);
  }
});
