import { expect, test } from "vitest";
import { type HandedResource, ROLE_NAMES, ROLES, type Role } from "../../engine/lib/roles/index.ts";
import type { FileGrant, Grant } from "../../engine/lib/wire/generated/manifest.ts";
import { Files, HttpEndpoint } from "../../engine/lib/wire/generated/tools.ts";
import { AuditLog, Session, Supervisor } from "../../engine/lib/wire/generated/wire.ts";
import type { Draft } from "./draft.ts";
import { checkDraft, getNodeFlags, startOf } from "./roles.ts";

const FILES: Readonly<Record<HandedResource, FileGrant>> = {
  blob: { name: "blob", which: "blob", blob: "x" },
  directory: { name: "directory", which: "directory", directory: "x" },
  key: { name: "key", which: "key", key: "x" },
  partition: { name: "partition", which: "partition" },
  states: { name: "states", which: "states", states: "x" },
  terminal: { name: "terminal", which: "terminal" },
  weights: { name: "weights", which: "weights", weights: "x" },
};
const HANDED = Object.values(FILES);

const holding = (role: Role, ...ids: readonly Grant["interfaceId"][]): Draft => {
  const grants = ids.map((interfaceId) => ({ name: `g${interfaceId}`, interfaceId, provider: "other", origin: "" }));
  return { name: "one", role, grants, files: [] };
};

const isDefect = (draft: Draft): boolean => {
  try {
    checkDraft(draft);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith("capc defect: one is ");
  }
};

test.each(ROLE_NAMES)("a process of the role %s may get exactly the kinds of files in the row of its role", (role) => {
  const taken = HANDED.filter((file) => !isDefect({ name: "one", role, grants: [], files: [file] }));
  expect(taken.map(({ which }) => which).sort()).toEqual([...ROLES[role].handed].sort());
});

test("a process may have only the runtime interfaces in the row of its role, and services only if the row allows them", () => {
  const who = (id: bigint) => ROLE_NAMES.filter((role) => !isDefect(holding(role, id)));
  expect(who(Session.id)).toEqual(["console"]);
  expect(who(AuditLog.id)).toEqual(["gate", "broker"]);
  expect(who(Supervisor.id)).toEqual(["logs", "services", "status", "gate", "console"]);
  expect(who(Files.id)).toEqual(["own", "gate"]);
  expect(who(HttpEndpoint.id)).toEqual(["own", "gate", "audit"]);
  expect(isDefect(holding("gate", AuditLog.id, Session.id))).toBe(true);
});

test("only `model-local` may load native code, and only `own-native` must be given the path of its program", () => {
  const everywhere = getNodeFlags("gate");
  expect(ROLE_NAMES.filter((role) => getNodeFlags(role).length !== everywhere.length)).toEqual(["model-local"]);
  expect(() => startOf("own-native")).toThrow("capc defect: a process of the role own-native without a program");
  expect(startOf("own-native", [], "/services/x").exec).toBe("/services/x");
});
