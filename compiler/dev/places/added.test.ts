import { afterAll, beforeAll, expect, test } from "vitest";
import { type Change, Copy } from "./testing/copy.ts";

const ROLES = "engine/lib/roles/roles.ts";
const SERVICES = "engine/lib/roles/services.ts";
const REQUEST = "engine/image/init/src/supervise/request.rs";
const JAIL = "engine/image/jails/ledger.json";

const PROGRAM = `import { openCapset } from "ENGINE/lib/wire/capset.ts";\n\nopenCapset().ready();\n`;

function replaced(from: string | RegExp, to: string): (text: string) => string {
  return (text) => text.replace(from, () => to);
}

const END_OF_ROLES = "} as const satisfies Readonly<Record<string, RoleRow>>;";
const END_OF_IMPLEMENTATIONS = "} as const satisfies Readonly<Record<string, ImplementationRow>>;";

function jail(base: string, more: string): string {
  return `{
  "role": "ledger",
  "extends": "${base}",${more}
  "calls": [],
  "places": [{ "path": "/capos/ledger.mjs", "may": ["read"], "why": "its own program" }]
}
`;
}

/**
 * Changes that add a role which provides no tools to a checkout: one row of the table, one folder and one jail file.
 */
const RUNTIME: Readonly<Record<"row" | "folder" | "jail", Change>> = {
  row: [
    ROLES,
    replaced(
      END_OF_ROLES,
      `  ledger: {
    does: "keeps a ledger",
    kind: "runtime",
    program: { runs: "node", entry: "engine/processes/ledger/main.ts" },
    restart: "soon",
    memory: NODE_MEMORY,
    process: "ledger",
    holds: ["AuditLog"],
    asksInit: [],
    handed: ["blob"],
    serves: [],
    zone: { mayBeHostile: "no", holds: "the log" },
  },
${END_OF_ROLES}`,
    ),
  ],
  folder: ["engine/processes/ledger/main.ts", () => PROGRAM.replace("ENGINE", "../..")],
  jail: [JAIL, () => jail("node", "")],
};

/**
 * Changes that add a role which provides tools. Besides a row, a folder and a jail file, they add an implementation, an
 * interface of the library, and an entry in a list of init.
 */
const SERVICE: Readonly<Record<"row" | "implementation" | "interface" | "folder" | "jail" | "init", Change>> = {
  row: [
    ROLES,
    replaced(
      END_OF_ROLES,
      `  ledger: {
    does: "keeps a ledger",
    kind: "service",
    program: { runs: "node", entry: "engine/processes/services/ledger/main.ts" },
    restart: "soon",
    memory: NODE_MEMORY,
    holds: [],
    asksInit: [],
    handed: ["directory"],
    serves: [],
  },
${END_OF_ROLES}`,
    ),
  ],
  implementation: [
    SERVICES,
    replaced(
      END_OF_IMPLEMENTATIONS,
      `  ledger: {
    role: "ledger",
    process: "each",
    program: "image",
    keeps: "directory",
    serves: "\`Ledger\`",
    over: "its directory",
  },
${END_OF_IMPLEMENTATIONS}`,
    ),
  ],
  interface: [SERVICES, replaced(/ {2}Scratch: .*\n/, '  Scratch: { by: "ledger", state: "must" },\n')],
  folder: ["engine/processes/services/ledger/main.ts", () => PROGRAM.replace("ENGINE", "../../..")],
  jail: [JAIL, () => jail("writer", '\n  "directory": { "may": true, "why": "the ledger lies there" },')],
  init: [REQUEST, replaced('const TOOLS: [&str; 5] = ["files", ', 'const TOOLS: [&str; 6] = ["files", "ledger", ')],
};

let copy: Copy;
beforeAll(() => {
  copy = new Copy();
});
afterAll(() => copy.remove());

const MAIN = "compiler/dev/places/main.ts";

/**
 * Returns the values that the copy of the checkout derives from the new row of the table of roles, such as its program,
 * memory and restarts.
 */
const derived = (): unknown => JSON.parse(copy.run("compiler/dev/places/testing/derived.ts", "ledger").lines.join(""));

/** Applies changes to the copy and runs `act`. Then undoes these changes and the changes by `act`. */
function withChanges<T>(changes: readonly Change[], act: () => T): T {
  const pages = [
    "engine/THREATS.md",
    "engine/processes/README.md",
    "engine/processes/services/README.md",
    "stdlib/services/README.md",
  ];
  const kept = [...changes.map(([path]) => path), ...pages].map((path) => [path, copy.read(path)] as const);
  try {
    copy.change(changes);
    return act();
  } finally {
    for (const [path, text] of kept) if (copy.read(path) !== text) copy.change([[path, () => text]]);
  }
}

test("an unchanged copy of the checkout agrees with the tables of roles and services", () => {
  expect(copy.run(MAIN)).toEqual({ status: 0, lines: [] });
});

test("a role of the runtime needs only a row in the table of roles, a folder and a jail file; the rest is derived from these", () => {
  withChanges(Object.values(RUNTIME), () => {
    expect(copy.run(MAIN, "--write")).toEqual({ status: 0, lines: [] });
    expect(derived()).toMatchObject({
      bundled: [["ledger", true]],
      restart: 5,
      memory: 128 * 1024 * 1024,
      program: "/capos/ledger.mjs",
      isReserved: true,
      refused: ["reserved-name"],
      kind: "runtime",
      hasColumn: true,
      broken: [],
    });
    expect(copy.read("engine/THREATS.md")).toContain("| `ledger` | no | the log |");
    expect(copy.read("engine/processes/README.md")).toContain("| [`ledger`](ledger/) | keeps a ledger |");
  });
});

test("a role that provides tools needs only rows in the tables and its code: plan, memory count and proofs then include it", () => {
  withChanges(Object.values(SERVICE), () => {
    expect(copy.run(MAIN, "--write")).toEqual({ status: 1, lines: [UNUSED_SCRATCH] });
    expect(derived()).toMatchObject({
      bundled: [["ledger", true]],
      isReserved: false,
      refused: [],
      kind: "service",
      hasColumn: true,
      started: ["ledger", "/capos/ledger.mjs", "1048576", [{ name: "data", which: "directory", directory: "paper" }]],
      counted: ["ledger", 14 * 1024 * 1024],
      broken: [],
    });
    expect(copy.read("engine/THREATS.md")).toContain("`own-native`, `ledger`) |");
    expect(copy.read("engine/processes/services/README.md")).toContain("| `ledger` | `ledger` | `Ledger` |");
  });
});

/**
 * Changes that add an interface to the library, with categories for its methods, and the service that provides the
 * interface.
 */
const LIBRARY: Readonly<Record<"row" | "program", Change>> = {
  row: [
    SERVICES,
    replaced(
      "  Scratch: {",
      '  Processes: { by: "own", program: "processes.js", state: "none", keeps: "nothing" },\n  Scratch: {',
    ),
  ],
  program: ["stdlib/services/processes.js", () => "export default {};\n"],
};

const PAGE: Change = [
  "system.cap",
  () => `system small version "0.1.0" {
  use std.tools
  use std.profiles
  service running : Processes {}
  backend canned { stub "replies.json"  clearance public }
  session guest from profiles.guest { models { auto canned }  permit { auto readOnly }  quota { 1 readOnly per turn } }
  image { target linux  machine vm  boot guest }
}
`,
];
const REPLIES: Change = ["replies.json", () => "[]\n"];

test("a library service needs only a row in the table of services and a program, and then a page can use it", () => {
  const check = () => copy.run("compiler/cli/capc.mjs", "check", "--format", "json", "system.cap").lines.join("");
  withChanges([PAGE, REPLIES], () => expect(check()).toContain('"service-without-provider"'));
  withChanges([PAGE, REPLIES, ...Object.values(LIBRARY)], () => {
    expect(copy.run(MAIN, "--write")).toEqual({ status: 0, lines: [] });
    expect(check()).not.toContain('"error"');
    expect(copy.read("stdlib/services/README.md")).toContain("| `processes.js` | `Processes` | nothing |");
  });
});

/**
 * Expected difference: the test gives the interface of an existing program to the new role, so no role uses this
 * program.
 */
const UNUSED_SCRATCH = "engine/lib/roles/services.ts: no interface of the library is answered by `scratch`";

const without = <T extends string>(parts: Readonly<Record<T, Change>>, left: T): readonly Change[] =>
  Object.entries<Change>(parts).flatMap(([name, change]) => (name === left ? [] : [change]));

const jailWith = (more: string): Change => [JAIL, () => jail("node", more)];

test.each<[string, readonly Change[], readonly string[]]>([
  [
    "the row",
    without(RUNTIME, "row"),
    [
      "engine/processes/ledger/main.ts: takes grants of init, and is the program of no role in the table",
      "engine/image/jails: the folder of jails has `ledger`, which the table does not have there",
    ],
  ],
  ["the folder", without(RUNTIME, "folder"), ["engine/processes/ledger/main.ts: the program of `ledger` is not there"]],
  [
    "the jail file",
    without(RUNTIME, "jail"),
    ["engine/image/jails: the folder of jails lacks `ledger`, which the table has"],
  ],
  [
    "a permission of the jail",
    [
      RUNTIME.row,
      RUNTIME.folder,
      jailWith(""),
      [
        ROLES,
        replaced(
          'handed: ["blob"],\n    serves: [],\n    zone: { mayBeHostile: "no", holds: "the log" }',
          'handed: ["key"],\n    serves: [],\n    zone: { mayBeHostile: "no", holds: "the log" }',
        ),
      ],
    ],
    [`${JAIL}: \`key\` must be true: the row of \`ledger\` says so`],
  ],
  [
    "a permission of the row",
    [RUNTIME.row, RUNTIME.folder, jailWith('\n  "terminal": { "may": true, "why": "it asks people" },')],
    [`${JAIL}: \`terminal\` must be false: the row of \`ledger\` says so`],
  ],
  [
    "a permission of the row that the jail inherits",
    [
      RUNTIME.row,
      RUNTIME.folder,
      [
        "engine/image/jails/talker.json",
        () => '{ "base": "talker", "extends": "node", "terminal": { "may": true } }\n',
      ],
      [JAIL, () => jail("talker", "")],
    ],
    [`${JAIL}: \`terminal\` must be false: the row of \`ledger\` says so`],
  ],
  [
    "its own program in the jail",
    [RUNTIME.row, RUNTIME.folder, [JAIL, () => jail("node", "").replace("/capos/ledger.mjs", "/capos/gate.mjs")]],
    [
      `${JAIL}: what it may read lacks \`/capos/ledger.mjs\`, which the table has`,
      `${JAIL}: what it may read has \`/capos/gate.mjs\`, which the table does not have there`,
    ],
  ],
  [
    "init's list of processes that are not restarted",
    [
      ...Object.values(RUNTIME),
      [
        ROLES,
        replaced(
          /restart: "soon",(\n {4}memory: NODE_MEMORY,\n {4}process: "ledger")/,
          'restart: "never",\n    memory: NODE_MEMORY,\n    process: "ledger"',
        ),
      ],
    ],
    ["engine/image/init/src/manifest/judge.rs: STAYS_DEAD lacks `ledger`, which the table has"],
  ],
  [
    "init's answers",
    [
      ...Object.values(RUNTIME),
      [
        ROLES,
        replaced(
          'holds: ["AuditLog"],\n    asksInit: [],\n    handed: ["blob"],\n',
          'holds: ["AuditLog"],\n    asksInit: ["facts"],\n    handed: ["blob"],\n',
        ),
      ],
    ],
    [`${REQUEST}: \`may\` of Facts lacks \`ledger\`, which the table has`],
  ],
  [
    "init's list of services",
    without(SERVICE, "init"),
    [
      `${REQUEST}: TOOLS lacks \`ledger\`, which the table has`,
      `${REQUEST}: \`may_be_cut_off\` lacks \`ledger\`, which the table has`,
      UNUSED_SCRATCH,
    ],
  ],
  [
    "the interface of an implementation",
    without(SERVICE, "interface"),
    ["engine/lib/roles/services.ts: no interface of the library is answered by `ledger`"],
  ],
  [
    "the implementation of a service's role",
    [SERVICE.row, SERVICE.folder, SERVICE.jail, SERVICE.init],
    ["engine/lib/roles/services.ts: no implementation runs in the role `ledger`"],
  ],
  [
    "the row of a library service",
    [[SERVICES, replaced(/ {2}Echo: .*\n/, "")]],
    [
      "stdlib/tools.cap: the library has `Echo`, which the table does not have there",
      "stdlib/services: the folder has `echo.js`, which the table does not have there",
    ],
  ],
  [
    "the methods of a library service",
    [["stdlib/tools.cap", replaced("interface Echo {", "interface Echos {")]],
    [
      "stdlib/tools.cap: the library lacks `Echo`, which the table has",
      "stdlib/tools.cap: the library has `Echos`, which the table does not have there",
    ],
  ],
  [
    "the program of a library service",
    [["stdlib/services/echo.js", () => undefined]],
    ["stdlib/services: the folder lacks `echo.js`, which the table has"],
  ],
  [
    "an interface of the network",
    [["compiler/phases/bind/services.ts", replaced('"HttpEndpoint", "Fetch", ', '"HttpEndpoint", ')]],
    ["compiler/phases/bind/services.ts: NETWORK_INTERFACES lacks `Fetch`, which egress answers for"],
  ],
  [
    "a role that init compares with",
    [["engine/image/init/src/supervise/deaths.rs", replaced('role == "loop"', 'role == "ring"')]],
    ["engine/image/init/src/supervise/deaths.rs: compares with the role `ring`, which the table does not have"],
  ],
  [
    "the table, repeated as a list",
    [["targets/manifest/kinds.ts", () => 'export const KINDS = ["audit", "broker", "gate", "loop", "model"];\n']],
    ["targets/manifest/kinds.ts: lists roles (audit, broker, gate, loop, model): derive them from engine/lib/roles"],
  ],
])("the check names the missing part: %s", (_, changes, lines) => {
  withChanges(changes, () => {
    const written = copy.run(MAIN, "--write");
    expect(written.lines).toEqual(lines);
    expect(written.status).toBe(1);
  });
});

test("the check names each Markdown page with an outdated table", () => {
  withChanges(Object.values(RUNTIME), () => {
    expect(copy.run(MAIN).lines).toEqual([
      "engine/THREATS.md: the zones of roles: is another one; run main.ts --write",
      "engine/THREATS.md: what is tried from inside every jail: is another one; run main.ts --write",
      "engine/processes/README.md: the table of roles: is another one; run main.ts --write",
    ]);
  });
});

test("the check names a Markdown page without the comments that mark the place of its table", () => {
  withChanges([["engine/processes/README.md", replaced("<!-- roles: begin -->", "")]], () => {
    expect(copy.run(MAIN, "--write").lines).toEqual([
      "engine/processes/README.md: has no place for the table of roles",
    ]);
  });
});
