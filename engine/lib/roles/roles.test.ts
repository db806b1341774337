import { expect, test } from "vitest";
import { Files, HttpEndpoint } from "../wire/generated/tools.ts";
import {
  findLibraryProgram,
  findLibraryService,
  isRole,
  isStatic,
  LIBRARY_SERVICES,
  listRoles,
  NODE_ROLES,
  RESERVED_NAMES,
  ROLE_NAMES,
  ROLES,
  type RuntimeInterface,
} from "./index.ts";
import { getInterfaceId, mayHold } from "./interfaces.ts";

test("the names that no service may have are those of processes, grants and files of the machine", () => {
  const parts = "audit broker console conversations egress gate init loop model session supervisor terminal";
  expect([...RESERVED_NAMES].sort()).toEqual(parts.split(" "));
});

test("names that every object inherits are not roles or library services", () => {
  expect(["constructor", "toString", "__proto__", ""].filter(isRole)).toEqual([]);
  expect(["constructor", "toString", "__proto__", ""].flatMap((face) => findLibraryService(face) ?? [])).toEqual([]);
  expect(findLibraryProgram("constructor")).toBeUndefined();
});

test("every role has one kind, and every kind has a role", () => {
  const kinds = ["backend", "outside", "runtime", "service", "session"] as const;
  expect(kinds.map((kind) => listRoles(kind).length)).not.toContain(0);
  expect(listRoles(...kinds)).toEqual(ROLE_NAMES);
  expect(kinds.flatMap((kind) => listRoles(kind)).sort()).toEqual([...ROLE_NAMES].sort());
});

test("every role is a program of Node or a static program", () => {
  const static_ = ROLE_NAMES.filter(isStatic);
  expect(static_).toEqual(["own-native", "console"]);
  expect(NODE_ROLES.map(({ name }) => name)).toEqual(ROLE_NAMES.filter((role) => !isStatic(role)).sort());
});

test("another role or init serves each interface that a role may hold", () => {
  const serving = ROLE_NAMES.flatMap((role) => ROLES[role].serves);
  const held = ROLE_NAMES.flatMap((role) => ROLES[role].holds);
  expect(new Set(held.filter((one) => one !== "tools" && !serving.includes(one)))).toEqual(new Set(["Supervisor"]));
});

test("a role holds Supervisor if and only if it uses a method of init", () => {
  const asking = ROLE_NAMES.filter((role) => ROLES[role].asksInit.length > 0);
  expect(ROLE_NAMES.filter((role) => ROLES[role].holds.includes("Supervisor"))).toEqual(asking);
});

test("a role that may hold tools may also hold HttpEndpoint, and no other interface of the runtime", () => {
  const interfaces = [...new Set(ROLE_NAMES.flatMap((role) => [...ROLES[role].serves]))];
  const ids = (names: readonly RuntimeInterface[]) => names.map(getInterfaceId);
  expect(ids(interfaces).filter((id) => mayHold(["tools"], id))).toEqual([HttpEndpoint.id]);
  expect(mayHold(["tools"], Files.id)).toBe(true);
  expect(mayHold(["Session"], Files.id)).toBe(false);
});

test("the interfaces of the library are in code-unit order", () => {
  const faces = Object.keys(LIBRARY_SERVICES);
  expect(faces).toEqual([...faces].sort());
});
