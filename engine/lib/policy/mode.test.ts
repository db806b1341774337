import { expect, test } from "vitest";
import { MODES } from "../../../lang/grammar/index.ts";
import { PermissionMode } from "../wire/generated/capos.ts";
import { isStricter } from "./mode.ts";

test("the language and the schema have the same modes, from the loosest to the strictest", () => {
  expect(MODES.toSorted()).toEqual(PermissionMode.members.toSorted());
  const pairs = MODES.slice(1).map((mode, index) => [mode, MODES[index]] as const);
  expect(pairs.filter(([mode, looser]) => looser === undefined || !isStricter(mode, looser))).toEqual([]);
});
