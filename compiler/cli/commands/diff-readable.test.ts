// Tests the text of a difference. It must show the lines of the page, the clauses of both decisions in the order of the
// page, and one entry for each edit.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "../memory-world.ts";

const PAGE = `system desk version "1.0.0" {
  use std.tools
  service letters : Files { label public/untrusted  state 1 MiB }
  service notes : Files { label internal/reviewed  state 1 MiB }
  service outbox : Files { label public/untrusted  state 1 MiB }
  backend canned { stub "replies.json"  clearance internal }
  session clerk {
    kind operator
    clearance internal
    models { auto canned }
    permit {
      auto      readOnly
      auto      outbox.write where path from person else consent
      forbidden outbox.write where some(urls(content)) from untrusted else auto
      consent   notes.write
    }
    suppress letters.write, destructive
    when integrity <= untrusted { atLeast forbidden notes.write }
  }
  task answer in clerk { only letters.read, outbox.write }
  test "nobody asks" {
    as clerk
    call letters.list { path: "" } expect auto
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot clerk }
}
`;

const folder = mkdtempSync(join(tmpdir(), "capc-readable-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "replies.json"), "[]\n");
writeFileSync(join(folder, "old.cap"), PAGE);

async function compared(from: string, to: string, ...words: readonly string[]) {
  expect(PAGE).toContain(from);
  writeFileSync(join(folder, "new.cap"), PAGE.replace(from, to));
  return runCommand(["diff", "old.cap", "new.cap", ...words], { folder });
}

test("a changed condition is marked between the unchanged lines, and a call that becomes `auto` is shown and counted", async () => {
  const { out } = await compared("some(urls", "every(urls");
  expect(out).toContain(`moved     clerk: outbox.write (widens)
          clerk.answer: outbox.write
              the most specific of:
                auto where path from person else consent
            -   forbidden where some(urls(content)) from untrusted else auto
            +   forbidden where every(urls(content)) from untrusted else auto
            outbox.write {"content":"https://a.example https://b.example","path":"a"}`);
  expect(out).toContain(": forbidden → auto\n");
  expect(out).toContain("0 widened, 1 moved (1 widens), 0 narrowed\n");
});

test("lines are wrapped on a terminal, and whole in a file", async () => {
  writeFileSync(join(folder, "new.cap"), PAGE.replace("some(urls", "every(urls"));
  const narrow = await runCommand(["diff", "old.cap", "new.cap"], { folder, outputColumns: 80 });
  expect(narrow.out.split("\n").filter((row) => row.length > 80)).toEqual([]);
  const whole = await runCommand(["diff", "old.cap", "new.cap"], { folder });
  expect(whole.out.split("\n").some((row) => row.length > 80)).toBe(true);
  const joinRows = (text: string) => text.replaceAll(/\s+/g, " ");
  expect(joinRows(narrow.out)).toBe(joinRows(whole.out));
});

test("an edit of a label is one widening, with a call that becomes possible and a rule that applies more often", async () => {
  const { out } = await compared("label internal/reviewed", "label public/untrusted");
  expect(out).toContain(`widened   service notes: label
            internal/reviewed → public/untrusted
            widened: results are less secret, internal → public
            narrowed: results are less trusted, reviewed → untrusted
            narrowed: arguments must be less secret, internal → public
            widened: arguments may be less trusted, reviewed → untrusted
            clerk: notes.list {"path":""}, then outbox.write {"content":"","path":"a"}, if "a" comes from person: refusedByPolicy → auto
`);
  expect(out).toContain("new.cap:4:27: label public/untrusted\n");
  expect(out).toMatch(/applies to more conversations: new\.cap:18:\d+: when integrity <= untrusted/);
  expect(out).toContain("1 widened, 0 moved, 0 narrowed\n");
  const json: unknown = JSON.parse((await compared("label internal", "label public", "--json")).out);
  expect(json).toMatchObject({
    changes: [{ what: "label", parts: [{ direction: "widened" }, { direction: "narrowed" }] }],
  });
});

test("for an edit of only a label, the report shows a call that may now pass on text from a service", async () => {
  const { out } = await compared("letters : Files { label public/untrusted", "letters : Files { label public/reviewed");
  expect(out).toContain(
    'clerk, clerk.answer: letters.read {"path":""} gives "https://a.example", then outbox.write {"content":"https://a.example","path":"a"}, if "a" comes from person: forbidden → auto\n',
  );
});

test("an effect of a label on a tool that the old page forbids is shown as if the old page allowed the tool", async () => {
  writeFileSync(
    join(folder, "hiding.cap"),
    PAGE.replace("consent   notes.write", "forbidden notes.write").replace(/when .*/, ""),
  );
  writeFileSync(
    join(folder, "new.cap"),
    PAGE.replace("letters : Files { label public/untrusted", "letters : Files { label public/reviewed"),
  );
  const { out } = await runCommand(["diff", "hiding.cap", "new.cap"], { folder });
  expect(out).toContain(", if the old page also allowed notes.write: forbidden → consent\n");
});

test("if a change affects only calls whose value has an unknown origin, the report says why other calls are decided as before", async () => {
  const { out } = await compared("from person else", "from person, letters.read.content else");
  expect(out).toContain(`it is unknown whether "a" comes from person: forbidden → consent
            only calls whose value has an unknown origin change, because the gate lost texts of the conversation (lang/spec/from.md, Unknown)
            other calls are decided as before: letters.read.content is a weak source, and a weak source alone never lowers a gate to auto
`);
  const strong = await compared("from person else", "from person, page else");
  expect(strong.out).toContain('if "a" comes from page and "a" does not come from person: consent → auto\n');
  expect(strong.out).not.toContain("other calls are decided as before");
});

test("a strong source that a session may now write is a widening of its own", async () => {
  const strong = PAGE.replace("reviewed  state 1 MiB }", "reviewed  state 1 MiB  strong read.content }");
  writeFileSync(join(folder, "new.cap"), strong);
  writeFileSync(
    join(folder, "hiding.cap"),
    strong.replace("consent   notes.write", "forbidden notes.write").replace(/when .*/, ""),
  );
  const { out } = await runCommand(["diff", "hiding.cap", "new.cap"], { folder });
  expect(out).toContain(`widened   clerk: tools that can write the strong source notes.read.content
            none → notes.write
            text of a strong source counts like a person's word: it can lower a gate to auto
            new.cap:15:7: consent notes.write
`);
});

test("the report names the line of a changed `only` or `state`, and marks a line that was removed", async () => {
  expect((await compared("only letters.read, outbox.write", "only letters.read")).out).toContain(
    "new.cap:20:26: only letters.read\n",
  );
  expect((await compared("only letters.read, outbox.write", "")).out).toContain(
    "no longer there: old.cap:20:26: only letters.read, outbox.write\n",
  );
  expect((await compared("state 1 MiB", "state 2 MiB")).out).toContain("new.cap:3:53: state 2 MiB\n");
});

test("--deny-widening prints the number of widenings without a reason, then one line for each with its place", async () => {
  const { err } = await compared("state 1 MiB", "state 2 MiB", "--deny-widening");
  expect(err).toBe(`capc diff: 1 of the changes widens, or may widen, authority without a reason
  service letters: bytes on the data disk (new.cap:3:53): no line can say why: \`--because TEXT\`
`);
});

test("a test with another title and the same steps is reported as renamed", async () => {
  const { out, status } = await compared('"nobody asks"', '"no question"', "--deny-widening");
  expect(out).toContain('renamed   test "nobody asks" → "no question"\n');
  expect(out).toContain("0 widened, 0 moved, 0 narrowed, 1 renamed\n");
  expect(status).toBe(0);
  const changed = PAGE.replace('"nobody asks"', '"no question"').replace('path: ""', 'path: "a"');
  writeFileSync(join(folder, "new.cap"), changed);
  expect((await runCommand(["diff", "old.cap", "new.cap"], { folder })).out).not.toContain("renamed");
});
