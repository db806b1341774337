import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { NODE_ROLES } from "../../lib/roles/index.ts";
import { bundle } from "./bundle.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

const programs: ReadonlyMap<string, string> = new Map(
  [...(await bundle(CHECKOUT, NODE_ROLES))].map(([role, bytes]) => [role, Buffer.from(bytes).toString("utf8")]),
);

test("every role has a program, which is ASCII and imports nothing when it is loaded", () => {
  expect([...programs.keys()]).toEqual(NODE_ROLES.map(({ name }) => name));
  for (const [role, program] of programs) {
    expect(program, role).not.toMatch(/[\u0080-\uffff]/);
    expect(program, role).not.toMatch(/^(import|export) /m);
  }
});

test("a program contains only the layouts of Cap'n Proto structs that it uses", () => {
  const contains = (role: string, layout: string): boolean =>
    programs.get(role)?.includes(`name: "${layout}"`) === true;
  expect(contains("audit", "AuditEntry")).toBe(true);
  const without = ["AuditEntry", "Tool", "SessionCommandParams", "FilesReadParams"];
  expect(without.filter((layout) => contains("status", layout))).toEqual([]);
  expect(without.filter((layout) => contains("gate", layout))).toEqual(without);
});

test("a program that needs cryptography only later does not load it at the start", () => {
  const loads = (role: string): boolean => programs.get(role)?.includes('= require("node:crypto")') === true;
  expect(["conversations", "files", "loop", "model"].filter(loads)).toEqual([]);
  expect(["audit", "broker", "gate"].filter(loads)).toEqual(["audit", "broker", "gate"]);
});
