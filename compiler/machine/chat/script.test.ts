import { expect, test } from "vitest";
import { readScript } from "./script.ts";

const read = (...lines: string[]) => {
  const result = readScript(lines.join("\n"), (path) => (path === "there.txt" ? "a\nb\n" : undefined));
  return result.ok ? result.script : result.faults;
};

test("expectations before the first act belong to the boot", () => {
  expect(read("# a comment", "", "< media-trusted")).toEqual({
    stretches: [
      {
        line: 0,
        act: { kind: "boot" },
        ahead: [],
        interrupts: [],
        expectations: [{ line: 3, kind: "present", text: "media-trusted" }],
      },
    ],
    hasNoDisk: false,
    leavesBlank: false,
    isStopped: false,
    disk: [],
    audit: [],
    collector: [],
  });
});

test("each act starts a section, and the following expectations belong to it", () => {
  expect(read("> write a note", "? allow", "< ok", "! error")).toMatchObject({
    stretches: [
      { act: { kind: "boot" }, expectations: [] },
      { line: 1, act: { kind: "say", text: "write a note" }, expectations: [] },
      {
        line: 2,
        act: { kind: "allow" },
        expectations: [
          { line: 3, kind: "present", text: "ok" },
          { line: 4, kind: "absent", text: "error" },
        ],
      },
    ],
  });
});

test("an answer is allow, refuse, or a quoted text", () => {
  expect(read("? refuse", '? other "y"')).toMatchObject({
    stretches: [{}, { act: { kind: "refuse" } }, { act: { kind: "other", text: "y" } }],
  });
});

test("claims about files have a path, and a text if they check the content", () => {
  const lines = [
    "@ file /notes/a.txt = plain text",
    '@ file /notes/b.txt = "two\\nlines\\n"',
    "@ nofile /notes/c",
    "@ same /notes/d",
  ];
  expect(read(...lines)).toMatchObject({
    disk: [
      { line: 1, kind: "holds", path: "/notes/a.txt", text: "plain text" },
      { line: 2, kind: "holds", path: "/notes/b.txt", text: "two\nlines\n" },
      { line: 3, kind: "missing", path: "/notes/c" },
      { line: 4, kind: "unchanged", path: "/notes/d" },
    ],
  });
});

test.each([
  ["a mark without a space", ">hello"],
  ["a mark without text", "> "],
  ["an unknown mark", "% hello"],
  ["an unknown answer", "? yes"],
  ["a signature without a key", "? sign"],
  ["a key that is a path", "? sign ../alice"],
  ["an answer without quotes", "? other y"],
  ["a quoted answer that is not JSON", '? other "\\q"'],
  ["an effect without a text", "@ file /notes/a.txt"],
  ["an unexpected text", "@ nofile /notes/a.txt = x"],
  ["a path that is not absolute", "@ same notes/a.txt"],
  ["an unknown claim about the log", "@ audit whole"],
  ["a claim about the log without its text", "@ audit holds"],
  ["an unknown export format", "@ audit yaml x"],
  ["a missing list", "= nowhere.tsv"],
  ["an unknown key", "~ any"],
  ["keys with an unclosed quotation mark", '~ "a'],
  ["a command without a trigger", "/ /stop notes"],
  ["a text that is not a command", "/ hello when ready"],
  ["a path that debugfs would read as two words", "@ same /notes/a b"],
])("refused: %s", (_, line) => {
  expect(read("# first line", line)).toMatchObject([{ line: 2 }]);
});

test("each claim about the audit log is about its order, about acknowledged records, or about a text that is or is not recorded", () => {
  const claims = ["@ audit valid", "@ audit every", "@ audit holds notes.write {}", "@ audit lacks notes.delete"];
  expect(read(...claims)).toMatchObject({
    audit: [
      { line: 1, kind: "inOrder" },
      { line: 2, kind: "acknowledged" },
      { line: 3, kind: "recorded", text: "notes.write {}" },
      { line: 4, kind: "unrecorded", text: "notes.delete" },
    ],
  });
});

test("each claim about an export of the log, or about the output of its follower, states a text", () => {
  expect(read('@ audit jsonl "which":"boot"', "@ audit ocsf 6003", "@ audit followed boot of")).toMatchObject({
    audit: [
      { kind: "jsonl", text: '"which":"boot"' },
      { kind: "ocsf", text: "6003" },
      { kind: "followed", text: "boot of" },
    ],
  });
});

test("each claim about messages to the collector states a text", () => {
  expect(read("@ syslog holds post.send ok", "@ otlp holds post.send ok")).toMatchObject({
    collector: [
      { line: 1, from: "syslog", text: "post.send ok" },
      { line: 2, from: "otlp", text: "post.send ok" },
    ],
  });
  expect(read("@ syslog", "@ otlp holds", "@ otlp x")).toMatchObject([{ line: 1 }, { line: 2 }, { line: 3 }]);
});

test("a script for a machine without a disk cannot have claims about a disk", () => {
  expect(read("@ nodisk", "< ready")).toMatchObject({ hasNoDisk: true });
  expect(read("@ nodisk", "@ nofile /a", "@ audit valid")).toMatchObject([{ line: 2 }, { line: 3 }]);
  expect(read("@ blank", "< ready")).toMatchObject({ leavesBlank: true, hasNoDisk: false });
  expect(read("@ blank", "@ nofile /a", "@ audit valid")).toMatchObject([{ line: 2 }, { line: 3 }]);
});

test("an expected list consists of the lines of a file", () => {
  expect(read("> /tools", "= there.txt")).toMatchObject({
    stretches: [{}, { expectations: [{ line: 2, kind: "exactly", file: "there.txt", lines: ["a", "b"] }] }],
  });
});

test("a script states how its machine ends", () => {
  expect(read("@ stopped")).toMatchObject({ isStopped: true, hasNoDisk: false });
  expect(read("> go")).toMatchObject({ isStopped: false });
});

test("every wrong line is reported, not only the first", () => {
  expect(read("x", "> well", "y")).toMatchObject([{ line: 1 }, { line: 3 }]);
});

test("keys are quoted texts and names of keys; keys with `when` are pressed while a line is being typed", () => {
  expect(read('~ "a \\"b\\"" backspace tab', "~ up enter when a when b")).toMatchObject({
    stretches: [
      {},
      {
        act: { kind: "press", keys: 'a "b"\u007f\t' },
        interrupts: [{ line: 2, keys: "\u001b[A\r", text: "a when b" }],
      },
    ],
  });
});

test.each([
  ["a carriage return, which would act as Enter", "> say it\r? allow", 1],
  ["a line separator", "# c\n> say\u2028? allow", 2],
  ["a change of direction", "# c\n# \u202e\n> say", 2],
])("refuses a script with %s, and names the line", (_, text, line) => {
  expect(readScript(text, () => undefined)).toMatchObject({ ok: false, faults: [{ line }] });
});

test("reads a script with Windows line ends", () => {
  expect(read("> say\r", "< ok\r", "")).toMatchObject({ stretches: [{}, { act: { kind: "say", text: "say" } }] });
});

test("lines typed ahead and interrupts belong to the section of the act above them", () => {
  expect(read("> go", "+ yes", "^ going", "/ /stop notes when going on")).toMatchObject({
    stretches: [
      {},
      {
        ahead: ["yes"],
        interrupts: [
          { line: 3, text: "going" },
          { line: 4, text: "going on", command: "/stop notes" },
        ],
      },
    ],
  });
});

test("a step-up is answered with a key, over the shown or a changed line, or with an old signature", () => {
  expect(read("? sign alice", "? sign alice changed", "? replay")).toMatchObject({
    stretches: [
      {},
      { act: { kind: "sign", key: "alice", what: "shown" } },
      { act: { kind: "sign", key: "alice", what: "changed" } },
      { act: { kind: "replay" } },
    ],
  });
});
