import { expect, test } from "vitest";
import type { ConsoleEvent } from "./console.ts";
import { playScript } from "./play.ts";
import { readScript } from "./script.ts";

const PROMPT: ConsoleEvent = { kind: "asks", for: "line" };
const APPROVAL: ConsoleEvent = { kind: "asks", for: "approval", letters: "kfm" };
const says = (text: string): ConsoleEvent => ({ kind: "line", text });

/** Plays the script against these events of a machine. Returns the typed texts, and each failure as "line: words". */
function play(source: string, ...machine: ConsoleEvent[]): { typed: string[]; failed: string[]; passed: number } {
  const read = readScript(source, (path) => (path === "list.tsv" ? "one\ttwo\nthree\n" : undefined));
  if (!read.ok) throw new Error(`the test's own script is wrong: ${JSON.stringify(read.faults)}`);
  const playing = playScript(read.script, (key, line) =>
    key === "lost" ? { reason: "no such key" } : { armour: `BEGIN\n${key} over ${line}\nEND\n` },
  );
  const typed = machine.map((seen) => playing.see(seen)).filter((keys) => keys !== undefined);
  const verdicts = playing.end();
  return {
    typed,
    failed: verdicts.filter((verdict) => !verdict.passed).map(({ line, words }) => `${line}: ${words.split("\n")[0]}`),
    passed: verdicts.filter((verdict) => verdict.passed).length,
  };
}

test("a script whose expectations are met passes", () => {
  expect(play("< ready\n> hi\n< hello\n! bye", says("ready"), PROMPT, says("agent> hello"), PROMPT)).toEqual({
    typed: ["hi\r", "/exit\r"],
    failed: [],
    passed: 3,
  });
});

test("expected lines must appear in the order of the script", () => {
  expect(play("> go\n< second\n< first", PROMPT, says("first"), says("second"), PROMPT).failed).toEqual([
    '3: a line with "first"; the lines were',
  ]);
});

test("one line of the console satisfies at most one expectation", () => {
  expect(play("> go\n< a\n< a", PROMPT, says("a"), PROMPT).failed).toEqual(['3: a line with "a"; the lines were']);
});

test("typed text satisfies no expectation", () => {
  expect(play("> say a\n< say a", PROMPT, { kind: "echo", text: "you> say a" }, PROMPT).failed).toHaveLength(1);
});

test("a line that must be absent from one section may appear in another section", () => {
  expect(play("> a\n! no\n> b", PROMPT, says("no"), PROMPT, says("no"), PROMPT).failed).toEqual([
    '2: no line with "no"; there was',
  ]);
});

test("an approval is given with the letters on the screen", () => {
  expect(play("> w\n? allow\n< ok", PROMPT, APPROVAL, says("ok"), PROMPT).typed).toEqual(["w\r", "kfm\r", "/exit\r"]);
});

test("the player turns the pages of a long call, and types the letters for later calls only if the console offers them", () => {
  const offered: ConsoleEvent = { kind: "asks", for: "approval", letters: "kfm", remembering: "qwz" };
  const page: ConsoleEvent = { kind: "asks", for: "page" };
  expect(play("> w\n? remember", PROMPT, page, page, offered).typed).toEqual(["w\r", " ", " ", "qwz\r"]);
  expect(play("> w\n? remember", PROMPT, APPROVAL).failed).not.toEqual([]);
  expect(play('> w\n? other "qwz"', PROMPT, offered).typed).toEqual(["w\r", "no\r"]);
});

test("a script that refuses, or gives another answer, does not type the letters that approve", () => {
  expect(play("> w\n? refuse", PROMPT, APPROVAL).typed).toEqual(["w\r", "no\r"]);
  expect(play('> w\n? other "y"', PROMPT, APPROVAL).typed).toEqual(["w\r", "y\r"]);
});

test("an approval for which the script has no answer is refused, and the script fails", () => {
  const { typed, failed } = play("> w\n< ok\n> x", PROMPT, APPROVAL, PROMPT, PROMPT);
  expect(typed).toEqual(["w\r", "no\r", "x\r", "/exit\r"]);
  expect(failed).toEqual([
    '2: a line with "ok"; the lines were none',
    "3: an approval was requested, and no ? line answers it",
  ]);
});

test("if the machine does not ask the question that an act answers, the act and its expectations fail, and the script continues", () => {
  const { typed, failed } = play("> w\n? allow\n< ok\n> x\n< y", PROMPT, PROMPT, says("y"), PROMPT);
  expect(typed).toEqual(["w\r", "x\r", "/exit\r"]);
  expect(failed).toEqual(["2: the machine did not ask", '3: present "ok"; the machine did not ask']);
});

test("an act fails if the machine is switched off before the script reaches this act", () => {
  expect(play("< ready\n> a\n< b", says("ready")).failed).toEqual([
    "2: the machine was off by then",
    '3: present "b"; the machine was off by then',
  ]);
});

test("every claim fails if the machine prints nothing", () => {
  expect(play("< ready\n> a").passed).toBe(0);
});

test("Ctrl-C is pressed once, as soon as an unfinished line shows the text that the script waits for", () => {
  const shown = (text: string): ConsoleEvent => ({ kind: "unfinished", text });
  const { typed, failed } = play(
    "> talk\n^ go on\n< stopped",
    PROMPT,
    shown("I could"),
    shown("I could go on"),
    shown("I could go on and on"),
    says("stopped"),
    PROMPT,
  );
  expect(typed).toEqual(["talk\r", "\u0003", "/exit\r"]);
  expect(failed).toEqual([]);
});

test("a Ctrl-C of a script fails if the text that it waits for is not shown", () => {
  expect(play("> talk\n^ go on", PROMPT, says("no"), PROMPT).failed).toEqual([
    '2: Ctrl-C at "go on"; it was not shown, but',
  ]);
  expect(play("> talk\n^ go on").failed).toEqual([
    "1: the machine was off by then",
    '2: Ctrl-C at "go on"; the machine was off by then',
  ]);
});

const types = (text: string): ConsoleEvent => ({ kind: "typing", text: `you> ${text}` });
const drawnAgain = (text: string): ConsoleEvent => ({ kind: "unfinished", text: `you> ${text}` });

test("keys without `when` are pressed at the prompt, and keys with `when TEXT` as soon as the typed line shows TEXT", () => {
  const script = '~ "/wh" tab\n~ "post" tab when /why \n~ enter when post.send\n< * why\n> next';
  const machine = [PROMPT, types("/wh"), drawnAgain("/why "), types("/why post"), PROMPT, types("/why post.send ")];
  expect(play(script, ...machine, says("* why"), PROMPT, PROMPT)).toEqual({
    typed: ["/wh\t", "post\t", "\r", "next\r", "/exit\r"],
    failed: [],
    passed: 3,
  });
  expect(play("~ up enter\n< again", PROMPT, says("again"), PROMPT).typed).toEqual(["\u001b[A\r", "/exit\r"]);
});

test("a repeated prompt is not answered while a line is typed, and only text of the typed line triggers keys", () => {
  const script = "~ up\n~ enter when hello";
  expect(play(script, PROMPT, PROMPT, says("* hello"), says("hello"), drawnAgain("hell")).typed).toEqual(["\u001b[A"]);
  expect(play(script, PROMPT, says("hello")).failed).toEqual(['2: keys at "hello"; it was not shown, but']);
  expect(play("> go\n^ hello", PROMPT, types("hello")).failed).toHaveLength(1);
});

test("a command with `when TEXT` is typed once, as soon as TEXT is shown, without waiting for a prompt", () => {
  const shown: ConsoleEvent = { kind: "unfinished", text: "[tool] wait {} auto" };
  const source = "> wait\n/ /stop notes when [tool] wait\n< closed";
  expect(play(source, PROMPT, shown, shown, says("[tool] wait {} auto → closed"), PROMPT)).toEqual({
    typed: ["wait\r", "/stop notes\r", "/exit\r"],
    failed: [],
    passed: 2,
  });
  expect(play(source, PROMPT, says("no"), says("closed"), PROMPT).failed).toEqual([
    '2: /stop notes at "[tool] wait"; it was not shown, but',
  ]);
});

test("no /exit is typed if the machine must stop by itself, and the last lines of the machine belong to the last act", () => {
  const source = "> /stop gate\n< gate stopped\n@ stopped";
  expect(play(source, PROMPT, says("* done"), PROMPT, says("capos: gate stopped"))).toEqual({
    typed: ["/stop gate\r"],
    failed: [],
    passed: 1,
  });
});

const LISTED = "* one    two";

test("an expected list must equal the lines of its section that begin with a star, in number and order", () => {
  const listed = (...lines: string[]): string[] => play("> /l\n= list.tsv", PROMPT, ...lines.map(says), PROMPT).failed;
  expect(listed(LISTED, "* three")).toEqual([]);
  expect(listed("capos: by the way", LISTED, "agent> so", "* three")).toEqual([]);
  const wrong = "2: exactly the lines of list.tsv; line";
  expect(listed(LISTED)).toEqual([`${wrong} 2 is undefined and not "* three"`]);
  expect(listed("* three", LISTED)).toEqual([`${wrong} 1 is "* three" and not "${LISTED}"`]);
  expect(listed(LISTED, "* three", "* four")).toEqual([`${wrong} 3 is "* four" and not undefined`]);
  expect(listed()).toEqual([`${wrong} 1 is undefined and not "${LISTED}"`]);
});

test("lines typed ahead are sent with the line before them", () => {
  expect(play("> write\n+ yes\n+ yes", PROMPT, APPROVAL).typed).toEqual(["write\ryes\ryes\r", "no\r"]);
});

const STEP_UP: ConsoleEvent = { kind: "asks", for: "signature", challenge: '{"turn":19}' };

test("a step-up is answered with a pasted signature over the line on the screen", () => {
  expect(play("> pay\n? sign alice", PROMPT, STEP_UP).typed[1]).toBe('BEGIN\ralice over {"turn":19}\rEND\r');
});

test("a signature over a changed line differs in one character, and a replay pastes the last signature", () => {
  const { typed } = play("> pay\n? sign alice changed\n> pay\n? replay", PROMPT, STEP_UP, PROMPT, STEP_UP);
  expect(typed[1]).toBe('BEGIN\ralice over {"turn":10}\rEND\r');
  expect(typed[3]).toBe(typed[1]);
});

test("a step-up can be refused, cannot be answered with letters, and fails if its key is missing", () => {
  expect(play("> pay\n? refuse", PROMPT, STEP_UP).typed[1]).toBe("\r");
  expect(play("> pay\n? allow", PROMPT, STEP_UP).failed).toContain(
    "2: a signature was requested, and no ? line answers it",
  );
  const { typed, failed } = play("> pay\n? sign lost", PROMPT, STEP_UP);
  expect([typed[1], failed]).toEqual(["\r", ["2: no such key"]]);
});

test("a principal's passphrase is typed as written, and its echo is not checked", () => {
  const unseen: ConsoleEvent = { kind: "asks", for: "unseen" };
  const { typed } = play('> /login\n? other "correct horse"\n? refuse', PROMPT, unseen, unseen);
  expect(typed).toEqual(["/login\r", "correct horse\r", "\r"]);
  expect(play("> /login\n> hi", PROMPT, unseen).failed).toContain(
    "2: a passphrase was requested, and no ? line answers it",
  );
});

test("a script may answer with a wrong passphrase, and expectations after it belong to that answer", () => {
  const asks: ConsoleEvent = { kind: "asks", for: "passphrase" };
  const source = '? other "wrong"\n< not its passphrase\n? passphrase\n< open\n? passphrase\n> hi';
  const read = readScript(source, () => undefined);
  if (!read.ok) throw new Error("the test's own script is wrong");
  const play = playScript(read.script, () => ({ reason: "none" }), "open it");
  const line = (text: string): ConsoleEvent => ({ kind: "line", text });
  const seen = [asks, line("that is not its passphrase"), asks, line("open"), PROMPT].map((one) => play.see(one));
  expect(seen.filter((typed) => typed !== undefined)).toEqual(["wrong\r", "open it\r", "hi\r"]);
  const failed = play.end().filter(({ passed }) => !passed);
  expect(failed).toEqual([{ line: 5, passed: false, words: "the machine did not ask" }]);
});

test("a passphrase is typed at init's question, and the machine is stopped if no passphrase is given", () => {
  const asks: ConsoleEvent = { kind: "asks", for: "passphrase" };
  const read = readScript("> hi", () => undefined);
  if (!read.ok) throw new Error("the test's own script is wrong");
  const given = playScript(read.script, () => ({ reason: "none" }), "open it");
  expect([asks, asks, PROMPT].map((seen) => given.see(seen))).toEqual(["open it\r", "open it\r", "hi\r"]);
  expect(given.end().every(({ passed }) => passed)).toBe(true);
  const none = playScript(read.script, () => ({ reason: "none" }));
  expect(none.see(asks)).toBe("\u0003");
  expect(none.end()[0]).toMatchObject({ passed: false, words: expect.stringContaining("--passphrase-file") });
});

test("a line that was typed before a question and now fills the prompt is deleted first, unless the script presses keys", () => {
  const filled: ConsoleEvent = { kind: "asks", for: "line", isFilled: true };
  expect(play("> w\n> x", PROMPT, filled, filled).typed).toEqual(["w\r", "\u0015x\r", "\u0015/exit\r"]);
  expect(play("> w\n~ enter", PROMPT, filled, PROMPT).typed).toEqual(["w\r", "\r", "/exit\r"]);
});

test("if the machine asks again for an approval after a mistake, the script needs a second answer", () => {
  expect(play('> w\n? other "y"\n? allow', PROMPT, APPROVAL, APPROVAL, PROMPT)).toEqual({
    typed: ["w\r", "y\r", "kfm\r", "/exit\r"],
    failed: [],
    passed: 0,
  });
});
