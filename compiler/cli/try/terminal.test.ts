// Tests the terminal of a trial: a terminal of the test replaces the terminal of the process, and an object that
// records lines replaces the console.

import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Said } from "../../trial/console.ts";
import { openTerminal, type TrialTerminal } from "./terminal.ts";

const ENTER = "\r";
const CONTROL_C = "\u0003";
const CONTROL_U = "\u0015";
const PASTE_ROWS = (rows: readonly string[]): string => `\u001b[200~${rows.join("\r")}\u001b[201~`;

let input: PassThrough;
let terminal: TrialTerminal;
let drawn = "";
let entered: Said[] = [];
/** Called after each entered line; a test sets it to show the next prompt, as the console does. */
let onEnter = (): void => {};

/** Opens a terminal of the type that TERM names. */
function open(type: string): void {
  input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  output.setEncoding("utf8").on("data", (text: string) => {
    drawn += text;
  });
  vi.spyOn(process, "stdin", "get").mockReturnValue(input as never);
  vi.spyOn(process, "stdout", "get").mockReturnValue(output as never);
  vi.stubEnv("NO_COLOR", "1");
  vi.stubEnv("TERM", type);
  [drawn, entered, onEnter] = ["", [], () => {}];
  terminal = openTerminal(() => {});
  terminal.attach({
    enter: (said) => {
      entered.push(said);
      onEnter();
    },
    end: () => {},
    interrupt: () => false,
    complete: async (line) => line,
    drawAgain: () => process.stdout.write("CLEARED\nabove\n"),
  });
}

beforeEach(() => open("xterm"));

afterEach(() => {
  terminal.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Types the keys, and waits until the line editor has processed them. */
async function type(keys: string): Promise<void> {
  input.write(keys);
  await new Promise((resolve) => setImmediate(resolve));
}

const askLine = (kept?: Said): void =>
  terminal.prompt({ text: "you> ", kind: "line", ...(kept === undefined ? {} : { kept }) });
const askConsent = (): void => terminal.prompt({ text: "allow? ", kind: "question" });
const texts = (): readonly string[] => entered.map(({ text }) => text);

test("after a backslash or a pasted line end, a line continues in the next row; it is sent by Enter only", async () => {
  askLine();
  await type(`one\\${ENTER}`);
  await type(`two${ENTER}`);
  expect(texts()).toEqual(["one\ntwo"]);
  askLine();
  await type(PASTE_ROWS(["three", "four"]));
  expect(texts()).toHaveLength(1);
  await type(ENTER);
  const [first, second] = ["three", "four"].map((text) => ({ text, isPasted: true }));
  expect(entered[1]).toEqual({ text: "three\nfour", pieces: [first, { text: "\n", isPasted: false }, second] });
});

test("each row of a pasted signature is a line of its own", async () => {
  terminal.prompt({ text: "paste the signature> ", kind: "signature" });
  onEnter = () => terminal.prompt({ text: "> ", kind: "signature" });
  await type(PASTE_ROWS(["-----BEGIN SSH SIGNATURE-----", "abc", "-----END SSH SIGNATURE-----", ""]));
  expect(texts()).toEqual(["-----BEGIN SSH SIGNATURE-----", "abc", "-----END SSH SIGNATURE-----"]);
});

test.each(["xterm", "dumb"])(
  "if TERM is %s, rows typed before a question do not answer the question, and are shown again at the next prompt",
  async (kind) => {
    terminal.close();
    open(kind);
    askLine();
    await type(`one\\${ENTER}`);
    await type("two");
    askConsent();
    await type(`kfm${ENTER}`);
    expect(texts()).toEqual(["kfm"]);
    askLine();
    expect(stripVTControlCharacters(drawn)).toMatch(/you> one\r?\n {2}two$/);
    expect(texts()).toHaveLength(1);
    await type(ENTER);
    expect(texts()).toEqual(["kfm", "one\ntwo"]);
  },
);

test("a line of several rows that a prompt already contains is sent only when the person presses Enter", async () => {
  const text = "one\ntwo";
  askLine({ text, pieces: [{ text, isPasted: true }] });
  await type("");
  expect(texts()).toEqual([]);
  expect(stripVTControlCharacters(drawn)).toMatch(/you> one\r?\n {2}two/);
  await type(ENTER);
  expect(entered).toEqual([{ text, pieces: [{ text, isPasted: true }] }]);
});

test.each([
  { name: "Ctrl-U", key: CONTROL_U, type: "xterm" },
  { name: "Ctrl-C", key: CONTROL_C, type: "xterm" },
  { name: "Ctrl-U", key: CONTROL_U, type: "dumb" },
  { name: "Ctrl-C", key: CONTROL_C, type: "dumb" },
])("$name deletes all rows of a line if TERM is $type", async ({ key, type: terminalType }) => {
  terminal.close();
  open(terminalType);
  const text = "one\ntwo";
  askLine({ text, pieces: [{ text, isPasted: false }] });
  await type(key);
  await type(`three${ENTER}`);
  expect(texts()).toEqual(["three"]);
});

test("pasted text that a question interrupts still counts as pasted after the question", async () => {
  askLine();
  await type(PASTE_ROWS(["one"]));
  askConsent();
  await type(`no${ENTER}`);
  askLine();
  await type(ENTER);
  expect(entered[1]).toEqual({ text: "one", pieces: [{ text: "one", isPasted: true }] });
});

const STATUS = "operator | public/reviewed | canned";

test("the status is drawn below the typed line, even if the line has several rows, and is erased with the line", async () => {
  askLine();
  terminal.status(STATUS);
  await type("hi");
  expect(drawn).toContain(`\n\r\u001b[K* ${STATUS}\u001b[1A\u001b[8G`);
  drawn = "";
  // Ctrl-A moves the cursor to the first row of the line, which fills three rows, so the status is three rows below the cursor.
  await type(`${"x".repeat(160)}\u0001`);
  expect(drawn).toContain(`\n\n\n\r\u001b[K* ${STATUS}\u001b[3A\u001b[6G`);
  drawn = "";
  await type(ENTER);
  expect(drawn.endsWith("\u001b[0J")).toBe(true);
  drawn = "";
  askConsent();
  await type("y");
  expect(drawn).not.toContain(STATUS);
});

test("a new status replaces the previous status, and a dumb terminal shows no status", async () => {
  askLine();
  terminal.status(STATUS);
  await type("");
  drawn = "";
  terminal.status("locked");
  await type("");
  expect(drawn).toBe("\n\r\u001b[K* locked\u001b[1A\u001b[6G");
  terminal.close();
  open("dumb");
  askLine();
  terminal.status(STATUS);
  await type("hi");
  expect(drawn).not.toContain(STATUS);
});

test("Ctrl-U removes all rows that a line fills", async () => {
  askLine();
  await type("x".repeat(200));
  drawn = "";
  await type(CONTROL_U);
  expect(drawn.startsWith("\u001b[1G\u001b[2A\u001b[0J") || drawn.startsWith("\u001b[2A\u001b[1G\u001b[0J")).toBe(true);
});

test("Ctrl-R shows the search text and the line that it finds, searches after each typed character, and finds the next older line if it is pressed again", async () => {
  for (const line of ["first note", "second note", "other"]) {
    askLine();
    await type(`${line}${ENTER}`);
  }
  askLine();
  const press = async (keys: string): Promise<string> => {
    drawn = "";
    await type(keys);
    return stripVTControlCharacters(drawn);
  };
  expect(await press("note\u0012")).toMatch(/\(search\) note> second note$/);
  expect(await press("\u0012")).toMatch(/\(search\) note> first note$/);
  expect(await press("\u0012")).toMatch(/\(search\) note, in no older line> first note$/);
  // Ctrl-E (end of the line) ends the search, and the next key edits the line that was found.
  expect(await press("\u0005!")).toMatch(/you> first note!$/);
  await type(ENTER);
  expect(texts().at(-1)).toBe("first note!");
  askLine();
  expect(await press("\u0012")).toMatch(/\(search\) > $/);
  expect(await press("not")).toMatch(/\(search\) not> first note!$/);
  expect(await press("\u0012")).toMatch(/\(search\) not> second note$/);
  expect(await press("ex")).toMatch(/\(search\) notex, in no older line> second note$/);
  expect(await press("\u007f")).toMatch(/\(search\) note> second note$/);
  await type(ENTER);
  expect(texts().at(-1)).toBe("second note");
});

test("Ctrl-G ends a search and shows the line that was typed before the search", async () => {
  askLine();
  await type(`first note${ENTER}`);
  askLine();
  await type("no\u0012te");
  drawn = "";
  await type("\u0007");
  expect(stripVTControlCharacters(drawn)).toMatch(/you> no$/);
  await type(`thing${ENTER}`);
  expect(texts()).toEqual(["first note", "nothing"]);
});

test("Ctrl-R does not search while the person answers a question", async () => {
  askLine();
  await type(`yes please${ENTER}`);
  terminal.prompt({ text: "allow? ", kind: "question" });
  await type(`no\u0012${ENTER}`);
  expect(texts().at(-1)).toBe("no");
});

test("after a change of the window's size, everything is drawn again, with the prompt and the typed rows", async () => {
  askLine();
  terminal.status(STATUS);
  await type(`one\\${ENTER}`);
  await type("two");
  drawn = "";
  Object.assign(process.stdout, { columns: 40 }).emit("resize");
  await type("");
  expect(stripVTControlCharacters(drawn)).toMatch(/^CLEARED\nabove\nyou> one\n {2}two\n\r\* operator/);
  await type(ENTER);
  expect(texts()).toEqual(["one\ntwo"]);
});

test("after a change of the window's size, a line that fills several rows is drawn below the earlier output", async () => {
  askLine();
  await type(`${"x".repeat(200)}\u0005y`);
  drawn = "";
  Object.assign(process.stdout, { columns: 60 }).emit("resize");
  await type("");
  expect(drawn).toMatch(/^CLEARED\nabove\n/);
  expect(drawn.slice(0, drawn.indexOf("you> "))).not.toMatch(/\[\d+A/);
});
