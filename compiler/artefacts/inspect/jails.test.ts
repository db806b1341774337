import { expect, test } from "vitest";
import { ROLE_NAMES } from "../../../engine/lib/roles/index.ts";
import { readJail } from "./jails.ts";

test.each(ROLE_NAMES)("the jail of %s is described", (role) => {
  const jail = readJail(role);
  expect(jail?.role).toBe(role);
  expect(jail?.calls).toBeGreaterThan(0);
});

test.each(["", "nobody", "../rootfs/inputs", "model-", "-local", "model--local", "Gate"])(
  "the role %j has no jail",
  (role) => {
    expect(readJail(role)).toBeUndefined();
  },
);
