// Tests that `--deny-widening` detects weaker proofs, such as removed assertions, removed tests and new waivers, and
// that it detects changed reasons.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { compile } from "../../compile.ts";
import { ALICE } from "../../dev/fixtures/facts.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { runCommand } from "../memory-world.ts";
import { diffSchema } from "../schemas/diff.ts";

const PAGE = `system small version "1.4.0" {
  use std.tools
  principal alice { ssh "keys/alice.pub" }
  service notes : Files { state 1 MiB  label public/reviewed }
  service board : Files { state 1 MiB  label public/reviewed }
  service vault : Files { state 1 MiB  label secret/reviewed }
  backend canned { stub  clearance secret }
  session operator {
    kind operator
    principals alice
    login key
    clearance secret
    models { auto canned }
    permit {
      auto    readOnly
      consent mutatingLocal because "CHG-1: a person reads it"
      stepUp  destructive
    }
    quota   { 4 calls per turn  2 prompts per turn }
    timeout { 20 s per call }
  }
  session night extends operator {
    widen { auto notes.write where path under "/log" else consent } because "CHG-2: the night shift" until "2099-01-31"
  }
  session guest { kind guest  models { auto canned }  permit { auto board.read } }
  task tidy in operator { only notes.*  quota { 2 prompts per turn } }
  declassify board.write from secret to public by stepUp for operator because "CHG-3: the board's secretary"
  waive guest-local for guest because "CHG-4: looked at"
  assert never call destructive ungated
  assert never call Files.delete for guest
  assert always consent board.write, vault.write
  assert never flow secret to board for guest
  assert never flow secret/untrusted to Files for guest
  assert limit 2 prompts per turn for operator
  assert never trifecta
  test "a guest reads the board" {
    as guest
    call board.read { path: "a" } expect auto
    call board.delete { path: "a" } expect refusedByPolicy
  }
  test "nobody there" {
    as operator unattended
    call notes.delete { path: "a" } expect stepUp
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-stated-"));
  mkdirSync(join(folder, "keys"));
  writeFileSync(join(folder, "keys/alice.pub"), ALICE);
  writeFileSync(join(folder, "old.cap"), PAGE);
});
afterAll(() => rmSync(folder, { recursive: true }));

type Edit = readonly (readonly [from: string, to: string])[];

const edited = (edits: Edit) =>
  edits.reduce((page, [from, to]) => {
    if (!page.includes(from)) throw new Error(`the page does not say ${from}`);
    return page.replace(from, to);
  }, PAGE);

async function compared(edits: Edit, ...words: readonly string[]) {
  writeFileSync(join(folder, "new.cap"), edited(edits));
  return runCommand(["diff", "old.cap", "new.cap", ...words], { folder });
}

/** Edits that `--deny-widening` refuses, each with its line in the output. */
const WEAKENED: Readonly<Record<string, readonly [edits: Edit, told: string]>> = {
  "a removed assertion": [
    [["  assert never call destructive ungated\n", ""]],
    "widened   assert never call destructive ungated\n",
  ],
  "an assertion that now allows calls behind a gate": [
    [["assert never call Files.delete for guest", "assert never call Files.delete ungated for guest"]],
    "widened   assert never call Files.delete for guest\n",
  ],
  "an assertion that now covers only direct calls": [
    [["assert never call Files.delete for guest", "assert never call Files.delete directly for guest"]],
    "widened   assert never call Files.delete for guest\n",
  ],
  "an assertion with a looser mode": [
    [["assert always consent board.write, vault.write", "assert always auto board.write, vault.write"]],
    "widened   assert always consent board.write, vault.write\n",
  ],
  "an assertion about fewer tools": [
    [["assert always consent board.write, vault.write", "assert always consent board.write"]],
    "widened   assert always consent board.write, vault.write\n",
  ],
  "an assertion about fewer sessions": [
    [["assert never call destructive ungated", "assert never call destructive ungated for guest"]],
    "widened   assert never call destructive ungated\n",
  ],
  "an assertion that names the present sessions instead of covering all sessions": [
    [
      ["  session guest { kind guest  models { auto canned }  permit { auto board.read } }\n", ""],
      ['  waive guest-local for guest because "CHG-4: looked at"\n', ""],
      ["  assert never call Files.delete for guest\n", ""],
      ["  assert never flow secret to board for guest\n  assert never flow secret/untrusted to Files for guest\n", ""],
      ['as guest\n    call board.read { path: "a" } expect auto', "as operator"],
      ["expect refusedByPolicy", "expect stepUp"],
      ["assert never call destructive ungated", "assert never call destructive ungated for operator"],
    ],
    "widened   assert never call destructive ungated\n",
  ],
  "an assertion that names the present tools of a category instead of the category": [
    [["assert never call destructive ungated", "assert never call notes.delete, board.delete, vault.delete ungated"]],
    "widened   assert never call destructive ungated\n",
  ],
  "an assertion about a category in only one interface": [
    [["assert never call destructive ungated", "assert never call destructive in Files ungated"]],
    "widened   assert never call destructive ungated\n",
  ],
  "an assertion that names the present services of an interface instead of the interface": [
    [["assert never call Files.delete for guest", "assert never call notes.*, board.*, vault.* for guest"]],
    "widened   assert never call Files.delete for guest\n",
  ],
  "another kind of a session, about which less is proved": [
    [["session guest { kind guest", "session guest { kind operator"]],
    "widened   guest: kind\n            guest → operator\n",
  ],
  "a session whose kind changes from a kind for people to the kind `service`": [
    [["session guest { kind guest", "session guest { kind service"]],
    "moved     guest: kind (may widen)\n",
  ],
  "an assertion about a task instead of its session": [
    [["assert limit 2 prompts per turn for operator", "assert limit 2 prompts per turn for tidy"]],
    "widened   assert limit 2 prompts per turn for operator\n",
  ],
  "two assertions about named sessions instead of one about all sessions": [
    [
      ["session guest { kind guest  models", "abstract session plain { kind guest  models"],
      [
        "permit { auto board.read } }",
        "permit { auto board.read } }\n  session guest from plain { }\n  session visitor from guest { }",
      ],
      [
        "assert never call destructive ungated",
        "assert never call destructive ungated for guest\n  assert never call destructive ungated for operator",
      ],
    ],
    "widened   assert never call destructive ungated\n",
  ],
  "an assertion that now ignores flows through releases": [
    [["assert never flow secret to board for guest", "assert never flow secret to board for guest without releases"]],
    "widened   assert never flow secret to board for guest\n",
  ],
  "an assertion about data with a narrower label": [
    [["assert never flow secret to board for guest", "assert never flow secret/untrusted to board for guest"]],
    "widened   assert never flow secret to board for guest\n",
  ],
  "an assertion about one service instead of all services of its interface": [
    [
      [
        "assert never flow secret/untrusted to Files for guest",
        "assert never flow secret/untrusted to notes for guest",
      ],
    ],
    "widened   assert never flow secret/untrusted to Files for guest\n",
  ],
  "an assertion with a higher limit": [
    [
      ["4 calls per turn  2 prompts per turn", "2 calls per turn  2 prompts per turn"],
      ["assert limit 2 prompts per turn", "assert limit 3 prompts per turn"],
    ],
    "widened   assert limit 2 prompts per turn for operator\n",
  ],
  "a removed test": [
    [
      [
        '  test "nobody there" {\n    as operator unattended\n    call notes.delete { path: "a" } expect stepUp\n  }\n',
        "",
      ],
    ],
    'widened   test "nobody there"\n',
  ],
  "a removed step of a test": [
    [['\n    call board.delete { path: "a" } expect refusedByPolicy', ""]],
    'widened   test "a guest reads the board"\n',
  ],
  "a test that expects a looser decision": [
    [['{ path: "a" } expect stepUp', '{ path: "a" } expect consent']],
    [
      'widened   test "nobody there"',
      '            step 2: call notes.delete { path: "a" } expect stepUp → step 2: call notes.delete { path: "a" } expect consent\n',
    ].join("\n"),
  ],
  "a test with another call": [
    [['call board.delete { path: "a" } expect', 'call board.list { path: "a" } expect']],
    'moved     test "a guest reads the board" (may widen)\n',
  ],
  "a test in which a person is now present": [
    [["as operator unattended", "as operator"]],
    'moved     test "nobody there" (may widen)\n',
  ],
  "a waiver": [
    [["  assert never trifecta\n", '  assert never trifecta\n  waive trifecta because "CHG-9"\n']],
    'widened   waive trifecta\n            none → because "CHG-9"\n',
  ],
  "a waiver for more sessions": [
    [["waive guest-local for guest because", "waive guest-local because"]],
    "widened   waive guest-local\n",
  ],
  "another reason of a waiver": [[["CHG-4: looked at", "CHG-5"]], "moved     guest: waive guest-local (may widen)\n"],
  "a later expiry date": [
    [["2099-01-31", "2199-01-31"]],
    "widened   night: last day of `widen tool notes.write`\n            2099-01-31 → 2199-01-31\n",
  ],
  "a removed expiry date": [[[' until "2099-01-31"', ""]], "2099-01-31 → no day\n"],
  "a later expiry date together with a new line": [
    [
      ['where path under "/log" else consent }', 'where path under "/log" else consent  auto board.write }'],
      ["2099-01-31", "2199-01-31"],
    ],
    "2099-01-31 → 2199-01-31\n",
  ],
  "another reason of a widening": [
    [["CHG-2: the night shift", "CHG-7"]],
    'moved     night: reason of `widen auto notes.write where path under "/log" else consent` (may widen)\n            "CHG-2: the night shift" → "CHG-7"\n',
  ],
  "another reason of a release": [
    [["CHG-3: the board's secretary", "CHG-7"]],
    '"CHG-3: the board\'s secretary" → "CHG-7"\n',
  ],
  "another reason of a line": [
    [["CHG-1: a person reads it", "CHG-7"]],
    'moved     operator: reason of `consent mutatingLocal` (may widen)\n            "CHG-1: a person reads it" → "CHG-7"\n',
  ],
  "a removed reason of a line": [
    [[' because "CHG-1: a person reads it"', ""]],
    'widened   operator: reason of `consent mutatingLocal`\n            "CHG-1: a person reads it" → none\n',
  ],
  "a lower version": [[['version "1.4.0"', 'version "1.3.9"']], "widened   version\n            1.4.0 → 1.3.9\n"],
  "a lower version with more digits": [[['version "1.4.0"', 'version "0.10.0"']], "1.4.0 → 0.10.0\n"],
  "a removed quota": [
    [
      ["2 prompts per turn }\n    timeout", "}\n    timeout"],
      ["  assert limit 2 prompts per turn for operator\n", ""],
    ],
    "quota of prompts per turn\n",
  ],
  "a longer time limit": [[["timeout { 20 s per call }", ""]], "milliseconds per call\n            20000 → 30000\n"],
};

test.each(Object.entries(WEAKENED))(
  "--deny-widening refuses %s unless the reviewer gives a reason",
  async (_, [edits, told]) => {
    const { status, out, err } = await compared(edits, "--deny-widening");
    expect(out).toContain(told);
    expect(err).toMatch(/no line can say why: .*--because TEXT`\n/);
    expect({ status, err }).toMatchObject({ status: 1, err: expect.stringContaining("without a reason\n") });
    expect(await compared(edits, "--deny-widening", "--because", "CHG-8")).toMatchObject({ status: 0, err: "" });
  },
);

test.each([
  ["a kind", ["session guest { kind guest", "session guest { kind operator"]],
  ["a login", ["    login key\n", ""]],
  ["a time", ["timeout { 20 s per call }", ""]],
] as const)("no `widen` is suggested for %s of a session, because `widen` cannot add it", async (_, edit) => {
  const { err } = await compared([edit], "--deny-widening");
  expect(err).toContain("no line can say why: `--because TEXT`\n");
  expect(err).not.toContain("bring it by");
});

test("a `widen` is suggested for a quota only if the session extends another session", async () => {
  const { err } = await compared([["4 calls per turn", "5 calls per turn"]], "--deny-widening");
  expect(err).toContain("no line can say why: `--because TEXT`\n");
  expect(err).not.toContain("bring it by a `widen`");
  const head = "session night extends operator {\n";
  writeFileSync(join(folder, "narrow.cap"), edited([[head, `${head}    quota { 3 calls per turn }\n`]]));
  const extended = await runCommand(["diff", "narrow.cap", "old.cap", "--deny-widening"], { folder });
  expect(extended.err).toContain("bring it by a `widen` with a reason, or `--because TEXT`\n");
});

/** Edits that `--deny-widening` accepts without the reviewer's reason, each with its line in the output. */
const STRENGTHENED: Readonly<Record<string, readonly [edits: Edit, told: string]>> = {
  "a page without a change": [[], "nothing means anything else\n"],
  "a higher version": [[['version "1.4.0"', 'version "1.10.0"']], "nothing means anything else\n"],
  "a new assertion that follows from an older one": [
    [["  assert never trifecta\n", "  assert never trifecta\n  assert never call vault.delete ungated\n"]],
    "0 widened, 1 moved, 0 narrowed\n",
  ],
  "a new assertion that proves more": [
    [["  assert never trifecta\n", "  assert never trifecta\n  assert always stepUp vault.delete\n"]],
    "narrowed  assert always stepUp vault.delete\n",
  ],
  "an assertion with the same meaning in other words": [
    [["assert never call Files.delete for guest", "assert always forbidden Files.delete for guest"]],
    "0 widened, 2 moved, 0 narrowed\n",
  ],
  "an assertion about a category instead of one tool of the category": [
    [["assert never call Files.delete for guest", "assert never call destructive for guest"]],
    "0 widened, 1 moved, 1 narrowed\n",
  ],
  "another kind of a session, about which more is proved": [
    [["session guest { kind guest", "session guest { kind anonymous"]],
    "narrowed  guest: kind\n",
  ],
  "an assertion with its patterns in another order": [
    [["board.write, vault.write", "vault.write, board.write"]],
    "0 widened, 2 moved, 0 narrowed\n",
  ],
  "an assertion with a lower limit": [
    [
      ["4 calls per turn  2 prompts per turn", "4 calls per turn  1 prompts per turn"],
      ["quota { 2 prompts per turn }", "quota { 1 prompts per turn }"],
      ["assert limit 2 prompts per turn", "assert limit 1 prompts per turn"],
    ],
    "narrowed  assert limit 1 prompts per turn for operator\n",
  ],
  "a new step at the end of a test": [
    [
      [
        'call board.delete { path: "a" } expect refusedByPolicy',
        'call board.delete { path: "a" } expect refusedByPolicy\n    call board.list { path: "" } expect refusedByPolicy',
      ],
    ],
    'narrowed  test "a guest reads the board"\n',
  ],
  "another title of a test": [[["nobody there", "away"]], "0 widened, 0 moved, 0 narrowed, 1 renamed\n"],
  "a removed waiver": [
    [['  waive guest-local for guest because "CHG-4: looked at"\n', ""]],
    "narrowed  guest: waive guest-local\n",
  ],
  "an earlier expiry date": [[["2099-01-31", "2098-01-31"]], "narrowed  night: last day of `widen tool notes.write`\n"],
  "a new reason of a line": [
    [["stepUp  destructive", 'stepUp  destructive because "CHG-9"']],
    "narrowed  operator: reason of `stepUp destructive`\n",
  ],
  "a weaker assertion after the removal of a service that it named": [
    [
      ["  service vault : Files { state 1 MiB  label secret/reviewed }\n", ""],
      ["assert always consent board.write, vault.write", "assert always consent board.write"],
    ],
    "moved     assert always consent board.write, vault.write\n",
  ],
};

test.each(Object.entries(STRENGTHENED))("--deny-widening accepts %s", async (_, [edits, told]) => {
  const { status, out, err } = await compared(edits, "--deny-widening");
  expect(out).toContain(told);
  expect({ status, err }).toEqual({ status: 0, err: "" });
});

test("a new waiver is in valid JSON output, in a Markdown row, and an error in SARIF output", async () => {
  const [edits] = WEAKENED["a waiver"] ?? [[]];
  const { out } = await compared(edits, "--json");
  expect(new Ajv2020().validate(diffSchema, JSON.parse(out))).toBe(true);
  expect((await compared(edits, "--format", "markdown")).out).toContain("| `waive trifecta` |");
  const { runs } = JSON.parse((await compared(edits, "--format", "sarif", "--deny-widening")).out);
  expect(runs[0].results).toMatchObject([{ ruleId: "authority-widened", level: "error" }]);
});

test("reports a line over which a looser line takes precedence, and the reason for this if the page gives one", async () => {
  const strict = '      stepUp  destructive\n      forbidden Files.write where path under "/locked" else consent\n';
  const looser = (comment: string) => `${strict}${comment}      auto    board.write because "CHG-9"\n`;
  const allowed = '      // capc: allow line-loosened because "the log is nobody\'s"\n';
  const told = async (was: string, is: string) => {
    writeFileSync(join(folder, "was.cap"), edited([["      stepUp  destructive\n", was]]));
    writeFileSync(join(folder, "is.cap"), edited([["      stepUp  destructive\n", is]]));
    return (await runCommand(["diff", "was.cap", "is.cap"], { folder })).out;
  };
  const line =
    'operator: `forbidden Files.write where path under "/locked" else consent`, which looser lines go before\n';
  const by = '`auto board.write because "CHG-9"` for `board.write`; ';
  expect(await told(strict, looser(""))).toContain(`moved     ${line}            none → ${by}no reason is given\n`);
  expect(await told(looser(""), looser(allowed))).toContain(
    `moved     ${line}            ${by}no reason is given → ${by}because "the log is nobody's"\n`,
  );
});

test("tables do not contain the assertions of a page, and the diff says so", async () => {
  const { policy } = await compile(createDiskHost("2026-01-01"), join(folder, "old.cap"));
  if (policy === undefined) throw new Error("the page has errors");
  writeFileSync(join(folder, "tables.bin"), encodeMessage(PolicyTables, policy.tables));
  const [edits] = WEAKENED["a waiver"] ?? [[]];
  writeFileSync(join(folder, "new.cap"), edited(edits));
  const { out, status, err } = await runCommand(["diff", "tables.bin", "new.cap", "--deny-widening"], { folder });
  expect(out).toContain("storage, image; assertions, waivers, tests, reasons: tables alone do not hold it");
  expect({ status, err }).toMatchObject({ status: 1, err: expect.stringContaining("was not compared") });
  // Unlike facts about the machine, the version of the system is in the policy tables, so it is compared.
  writeFileSync(join(folder, "new.cap"), edited([['"1.4.0"', '"1.0.0"']]));
  expect((await runCommand(["diff", "tables.bin", "new.cap"], { folder })).out).toContain("1.4.0 → 1.0.0");
});

test("a reason on a line counts even if a line of the standard library allows the same call or also decides about it", async () => {
  const page = (lines: string, services = "") => `system small version "1.0.0" {
  use std.tools
  use std.profiles
  principal alice { ssh "keys/alice.pub" }
  service notes : Files { state 1 MiB }
  ${services}
  backend canned { stub  clearance secret }
  session day from profiles.operator { models { auto canned }  principals alice  login key }
  session operator extends day { permit { ${lines} } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;
  const ask = async (before: string, after: string, ...words: readonly string[]) => {
    writeFileSync(join(folder, "before.cap"), before);
    writeFileSync(join(folder, "after.cap"), after);
    return runCommand(["diff", "before.cap", "after.cap", "--deny-widening", ...words], { folder });
  };
  // After the change, two rules allow `notes.read`: the `auto` of std/profiles.cap and the `auto` of the page. A
  // reason on the rule of the page is enough.
  const asking = page("consent notes.read, notes.write");
  const reasoned = page('auto notes.read because "CHG-1"  consent notes.write');
  expect(await ask(asking, reasoned)).toMatchObject({ status: 0, err: "" });
  expect((await ask(asking, page("auto notes.read  consent notes.write"))).err).toContain(
    "give the reason at the end of the rule",
  );
  const more = page(
    'forbidden notes.write  auto board.read, board.list because "CHG-2"  consent board.write because "CHG-3"  stepUp board.delete because "CHG-4"',
    "service board : Files { state 1 MiB }",
  );
  const { out, err, status } = await ask(page("forbidden notes.write"), more);
  // Only two changes have no reason: the disk space of the new service, and the change in the session that has no line
  // of its own.
  expect(status).toBe(1);
  expect(out).toContain('because "CHG-2"');
  expect(err).toContain("the standard library alone decides it (std/profiles.cap:");
  expect(err).toContain(
    "service board: bytes on the data disk (after.cap:6:27): no line can say why: `--because TEXT`\n",
  );
  expect(err).not.toContain("operator: board");
  expect(await ask(page("forbidden notes.write"), more, "--because", "CHG-5")).toMatchObject({ status: 0, err: "" });
});

test("an assertion about the only service of an interface does not cover services that are added later", async () => {
  const old = edited([
    ["  backend canned", "  service clock : Clock {}\n  backend canned"],
    ["to Files for guest", "to Clock for guest"],
  ]);
  writeFileSync(join(folder, "clock.cap"), old);
  writeFileSync(join(folder, "one-clock.cap"), old.replace("to Clock for guest", "to clock for guest"));
  const { out } = await runCommand(["diff", "clock.cap", "one-clock.cap"], { folder });
  expect(out).toContain("widened   assert never flow secret/untrusted to Clock for guest\n");
});

test("a changed test shows each step with another expectation, and no unchanged step", async () => {
  const long = `/${"x".repeat(200)}`;
  const page = (expected: string) =>
    edited([
      [
        '    call notes.delete { path: "a" } expect stepUp\n',
        ["a", "b", "c", "d", long]
          .flatMap((name) => [
            `    call notes.delete { path: "${name}" } expect ${expected}\n`,
            `    call notes.read { path: "${name}" } expect auto\n`,
          ])
          .join(""),
      ],
    ]);
  writeFileSync(join(folder, "strict.cap"), page("stepUp"));
  writeFileSync(join(folder, "loose.cap"), page("consent"));
  const { out } = await runCommand(["diff", "strict.cap", "loose.cap"], { folder });
  const told = /^widened {3}test "nobody there"\n(.*)$/m.exec(out)?.[1] ?? "";
  const [old = "", now = ""] = told.split(" → ");
  expect([...old.matchAll(/step (\d+): .*? expect (\w+)/g)].map(([, at, mode]) => `${at} ${mode}`)).toEqual(
    [2, 4, 6, 8, 10].map((at) => `${at} stepUp`),
  );
  expect([...now.matchAll(/step (\d+): .*? expect (\w+)/g)].map(([, at, mode]) => `${at} ${mode}`)).toEqual(
    [2, 4, 6, 8, 10].map((at) => `${at} consent`),
  );
  expect(told).not.toContain("notes.read");
});

const GUEST = `test "a guest reads the board" {
    as guest
    call board.read { path: "a" } expect auto
    call board.delete { path: "a" } expect refusedByPolicy
  }
`;

test("a removed test says whether it would fail on the new page", async () => {
  const [head, body] = [
    '  test "nobody there" {\n    as operator',
    '    call notes.delete { path: "a" } expect stepUp\n  }\n',
  ];
  writeFileSync(join(folder, "day.cap"), edited([[`${head} unattended\n`, `${head}\n`]]));
  const removed = [`${head} unattended\n${body}`, ""] as const;
  const compareDay = async (edits: Edit) => {
    writeFileSync(join(folder, "new.cap"), edited([removed, ...edits]));
    return (await runCommand(["diff", "day.cap", "new.cap"], { folder })).out;
  };
  expect(await compareDay([])).toContain("on the new page, the old test would still pass\n");
  expect(await compareDay([["stepUp  destructive", "consent destructive"]])).toContain(
    "on the new page, the old test fails at step 2: expected stepUp, is consent\n",
  );
  const wrong = await compared([[GUEST, ""]]);
  expect(wrong.out).toContain("is unknownTool; it fails on the old page, too\n");
});

test("a removed test with many steps shows the strict steps first", async () => {
  const reads = '    call board.read { path: "a" } expect auto\n'.repeat(4);
  writeFileSync(join(folder, "long.cap"), edited([["    as guest\n", `    as guest\n${reads}`]]));
  writeFileSync(join(folder, "new.cap"), edited([[GUEST, ""]]));
  const { out } = await runCommand(["diff", "long.cap", "new.cap"], { folder });
  expect(out).toContain('step 7: call board.delete { path: "a" } expect refusedByPolicy; and 4 more → none');
});

test("a test with a new title and a looser step is one widening", async () => {
  const looser = GUEST.replace("a guest reads the board", "a guest reads").replace("refusedByPolicy", "consent");
  const { out } = await compared([[GUEST, looser]]);
  expect(out).toContain(
    'widened   test "a guest reads", probably "a guest reads the board" before\n            step 3: call board.delete { path: "a" } expect refusedByPolicy → step 3: call board.delete { path: "a" } expect consent\n',
  );
  expect(out).toContain("1 widened, 0 moved, 0 narrowed\n");
});

test("--deny-widening refuses a release whose gate became looser and whose reason is unchanged", async () => {
  const loosen = ["by stepUp for operator", "by consent for operator"] as const;
  const kept = await compared([loosen], "--deny-widening");
  expect(kept).toMatchObject({ status: 1, err: expect.stringContaining("the reason is older than this change") });
  const given = await compared([loosen, ["the board's secretary", "the board's clerk"]], "--deny-widening");
  expect(given.err).not.toContain("declassify");
});
