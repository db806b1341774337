// Compares lists of roles in the Rust sources of init with the table `ROLES` of engine/lib/roles. init is built
// separately and committed as a binary. If its lists were generated from the table, nobody would notice that the binary
// is older than a change of the table. So the lists are compared with the table.

import { globSync } from "node:fs";
import { type InitMethod, isRole, listRoles, ROLE_NAMES, ROLES, type Role } from "../../../engine/lib/roles/index.ts";
import { compareNames, type Gap, readPlace } from "./gap.ts";

const SOURCES = "engine/image/init/src";
const JUDGE = `${SOURCES}/manifest/judge.rs`;
const REQUEST = `${SOURCES}/supervise/request.rs`;

const METHODS: Readonly<Record<InitMethod, string>> = {
  facts: "Facts",
  readLog: "ReadLog",
  readNotices: "ReadNotices",
  restart: "Restart",
  stop: "Stop",
};

/** Returns the differences between lists of roles in init's sources and the table of roles. */
export function findInitGaps(checkout: string): readonly Gap[] {
  const judge = readPlace(checkout, JUDGE);
  const request = readPlace(checkout, REQUEST);
  const services = listRoles("service");
  const restarting = services.filter((role) => ROLES[role].asksInit.includes("restart"));
  const stayingDead = readList(judge, "STAYS_DEAD");
  const boundingThemselves = readList(judge, "BOUNDS_ITSELF");
  const tools = readList(request, "TOOLS");
  const cutOff = [...readRoles(readBody(request, "may_be_cut_off")), ...tools];
  const others = services.filter((role) => !restarting.includes(role));
  return [
    ...compareNames(JUDGE, "STAYS_DEAD", stayingDead, findRolesThatStayDead()),
    ...compareNames(JUDGE, "BOUNDS_ITSELF", boundingThemselves, findRolesThatBoundThemselves()),
    ...compareNames(REQUEST, "TOOLS", tools, others),
    ...compareNames(REQUEST, "`may_be_cut_off`", cutOff, services),
    ...compareMethods(request),
    ...findUnknownRoles(checkout),
  ];
}

const findRolesThatStayDead = (): readonly Role[] => ROLE_NAMES.filter((role) => ROLES[role].restart === "never");

/**
 * Returns the roles that have a directory but are not services. Processes of these roles limit the size of their
 * directory themselves.
 */
const findRolesThatBoundThemselves = (): readonly Role[] =>
  ROLE_NAMES.filter((role) => ROLES[role].kind !== "service" && ROLES[role].handed.includes("directory"));

function compareMethods(request: string): readonly Gap[] {
  const arms = readBody(request, "may").split("\n");
  return Object.entries(METHODS).flatMap(([method, name]) => {
    const arm = arms.find((line) => new RegExp(`Request::${name}\\b`).test(line)) ?? "";
    const expected = ROLE_NAMES.filter((role) => ROLES[role].asksInit.some((asked) => asked === method));
    return compareNames(REQUEST, `\`may\` of ${name}`, readRoles(arm.slice(arm.indexOf("=>"))), expected);
  });
}

/** Returns a gap for each role name with which init's sources compare, but which has no row in the table of roles. */
function findUnknownRoles(checkout: string): readonly Gap[] {
  return globSync(`${SOURCES}/**/*.rs`, { cwd: checkout })
    .sort()
    .flatMap((path) => {
      const compared = [...readPlace(checkout, path).matchAll(/\brole\s*[!=]=\s*"([^"]+)"/g)].map(
        ([, role = ""]) => role,
      );
      const unknown = compared.filter((role) => !isRole(role));
      return unknown.map((role) => ({
        path,
        what: `compares with the role \`${role}\`, which the table does not have`,
      }));
    });
}

function readList(source: string, name: string): readonly string[] {
  return readRoles(new RegExp(`const ${name}: \\[&str; \\d+\\] = (\\[[^\\]]*\\]);`).exec(source)?.[1] ?? "");
}

/**
 * Returns the body of a public function at the top level of a source, or an empty text if the source has no such
 * function.
 */
function readBody(source: string, name: string): string {
  return new RegExp(`^pub fn ${name}\\([^]*?^}`, "m").exec(source)?.[0] ?? "";
}

function readRoles(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, role = ""]) => role);
}
