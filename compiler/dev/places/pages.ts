// Renders the tables of some Markdown pages from the tables of `engine/lib/roles`.

import { dirname, posix } from "node:path";
import { insertAttemptTable, placeSection } from "../../../engine/image/init/jail-table.ts";
import {
  IMPLEMENTATION_NAMES,
  IMPLEMENTATIONS,
  LIBRARY_SERVICES,
  listRoles,
  ROLE_NAMES,
  ROLES,
  type Role,
} from "../../../engine/lib/roles/index.ts";
import { type Gap, readPlace } from "./gap.ts";

interface Table {
  readonly path: string;
  readonly what: string;
  /** Returns the text of a Markdown page with the table inserted, or `undefined` if the page has no place for it. */
  readonly lay: (page: string) => string | undefined;
}

const THREATS = "engine/THREATS.md";
const PROCESSES = "engine/processes";

const TABLES: readonly Table[] = [
  { path: THREATS, what: "the zones of roles", lay: layZones },
  { path: THREATS, what: "what is tried from inside every jail", lay: insertAttemptTable },
  {
    path: `${PROCESSES}/README.md`,
    what: "the table of roles",
    lay: (page) => placeSection(page, "roles", renderRoles()),
  },
  {
    path: `${PROCESSES}/services/README.md`,
    what: "the table of implementations",
    lay: (page) => placeSection(page, "services", renderImplementations()),
  },
  {
    path: "stdlib/services/README.md",
    what: "the table of programs",
    lay: (page) => placeSection(page, "programs", renderPrograms()),
  },
];

/** Returns each page with an outdated table; `--write` of `main.ts` corrects it. */
export function findPageGaps(checkout: string): readonly Gap[] {
  return TABLES.flatMap(({ path, what, lay }) => {
    const page = readPlace(checkout, path);
    const wanted = lay(page);
    if (wanted === undefined) return [{ path, what: `has no place for ${what}` }];
    return wanted === page ? [] : [{ path, what: `${what}: is another one; run main.ts --write` }];
  });
}

/**
 * Returns the texts of the Markdown pages with all their tables up to date, by path. A page without a place for its
 * table stays unchanged.
 */
export function renderPages(checkout: string): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  for (const { path, lay } of TABLES) {
    const page = pages.get(path) ?? readPlace(checkout, path);
    pages.set(path, lay(page) ?? page);
  }
  return pages;
}

/**
 * Texts before and after the generated rows in the table of zones of THREATS.md, which states for each role whether its
 * processes may be hostile. They mark the rows, because a Markdown table cannot contain a comment between its rows.
 */
const BEFORE_ZONES = "| text of models, tools, files and people | always | nothing |\n";
const AFTER_ZONES = "| `capos-init` |";

function layZones(page: string): string | undefined {
  const before = page.indexOf(BEFORE_ZONES);
  const end = page.indexOf(AFTER_ZONES, before);
  if (before < 0 || end < 0) return undefined;
  return `${page.slice(0, before + BEFORE_ZONES.length)}${renderZones()}${page.slice(end)}`;
}

/** Renders a row for each role. All services share one row, at the position of the first service. */
function renderZones(): string {
  const shared = listRoles("service");
  const rows = ROLE_NAMES.flatMap((role) => {
    const { zone } = ROLES[role];
    if (zone !== undefined) return [`| \`${role}\` | ${zone.mayBeHostile} | ${zone.holds} |\n`];
    return role === shared[0] ? [renderServices(shared)] : [];
  });
  return rows.join("");
}

function renderServices(roles: readonly Role[]): string {
  const names = roles.map((role) => `\`${role}\``).join(", ");
  return `| services (${names}) | their content may be hostile, and so may a program of the operator | each service has at most one directory; \`services\`, \`status\`: data of init about the machine; \`services\`: the right to restart services |\n`;
}

function renderRoles(): string {
  const services = listRoles("service");
  const rows = ROLE_NAMES.flatMap((role) => {
    if (services.includes(role)) {
      const names = services.map((name) => `\`${name}\``).join(", ");
      return role === services[0] ? [`| ${names} | [services](services/README.md) |\n`] : [];
    }
    return [`| [\`${role}\`](${findFolder(role)}) | ${ROLES[role].does} |\n`];
  });
  return `| role | what its process does |\n|---|---|\n${rows.join("")}`;
}

/** Returns the folder of a role, relative to the folder of the processes. */
function findFolder(role: Role): string {
  const { program } = ROLES[role];
  const place = program.runs === "node" ? `${dirname(program.entry)}/` : "engine/image/init/";
  return `${posix.relative(PROCESSES, place)}/`;
}

function renderImplementations(): string {
  const rows = IMPLEMENTATION_NAMES.map((name) => {
    const { role, serves, over } = IMPLEMENTATIONS[name];
    return `| \`${name}\` | \`${role}\` | ${serves} | ${over} |\n`;
  });
  return `| implementation | role | serves | uses |\n|---|---|---|---|\n${rows.join("")}`;
}

function renderPrograms(): string {
  const rows = Object.entries(LIBRARY_SERVICES).flatMap(([face, row]) =>
    row.by === "own" ? [`| \`${row.program}\` | \`${face}\` | ${row.keeps} |\n`] : [],
  );
  return `| file | interface that it implements | data that it stores |\n|---|---|---|\n${rows.join("")}`;
}
