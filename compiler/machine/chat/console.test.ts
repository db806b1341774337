import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConsoleEvent, readConsole } from "./console.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const allIn = (...chunks: string[]): ConsoleEvent[] => {
  const reader = readConsole();
  return [...chunks.flatMap((chunk) => [...reader.push(bytes(chunk))]), ...reader.end()];
};
/** Returns the events except unfinished lines, which depend on how the bytes are split. */
const seenIn = (...chunks: string[]): ConsoleEvent[] =>
  allIn(...chunks).filter(({ kind }) => kind !== "unfinished" && kind !== "typing");

test("an unfinished line is reported each time that it grows", () => {
  expect(allIn("agent> I co", "uld", " go on\n")).toEqual([
    { kind: "unfinished", text: "agent> I co" },
    { kind: "unfinished", text: "agent> I could" },
    { kind: "unfinished", text: "agent> I could go on" },
    { kind: "line", text: "agent> I could go on" },
  ]);
});

test("lines end with a line feed, and the carriage return of a serial line is dropped", () => {
  expect(seenIn("one\r\ntwo\r\n")).toEqual([
    { kind: "line", text: "one" },
    { kind: "line", text: "two" },
  ]);
});

test("the prompt is recognized without a line end, however its bytes are split into chunks", () => {
  expect(seenIn("hello\r\ny", "ou", "> ")).toEqual([
    { kind: "line", text: "hello" },
    { kind: "asks", for: "line" },
  ]);
});

test("text typed at a prompt is reported as an echo, and not as a new prompt", () => {
  expect(seenIn("you> ", "h", "i", "\r\n", "agent> hello\r\n", "you> ")).toEqual([
    { kind: "asks", for: "line" },
    { kind: "echo", text: "you> hi" },
    { kind: "line", text: "agent> hello" },
    { kind: "asks", for: "line" },
  ]);
});

test("a typed line is reported each time that it grows, even if the console draws it again, and is reported as an echo when it ends", () => {
  const grown = (...chunks: string[]) =>
    allIn(...chunks).map(({ kind, ...rest }) => [kind, "text" in rest && rest.text]);
  expect(grown("you> ", "/wh", "\r\nyou> /why ", "\r\n* why\r\n")).toEqual([
    ["asks", false],
    ["typing", "you> /wh"],
    ["echo", "you> /wh"],
    ["unfinished", "you> /why "],
    ["echo", "you> /why "],
    ["unfinished", "* why"],
    ["line", "* why"],
  ]);
  expect(grown("you> ", "/wh", "\r\nyou> ", "/why ").slice(2)).toEqual([
    ["echo", "you> /wh"],
    ["asks", false],
    ["typing", "you> /why "],
  ]);
});

test("the event of an approval contains the letters that approve the call", () => {
  expect(seenIn("allow? type kfm to allow, no to refuse> ")).toEqual([
    { kind: "asks", for: "approval", letters: "kfm" },
  ]);
});

test("lines of a pasted signature are reported as echoes, and a similar line of a model is not", () => {
  const kinds = seenIn("paste the signature> BEGIN\r\n> AAAA\r\n> END\r\n* signature taken\r\n> quoted\r\n").map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(["line", "line", "line", "line", "line"]);
  const typed = seenIn("paste the signature> ", "BEGIN\r\n> ", "AAAA\r\n> END\r\n* signature taken\r\n> quoted\r\n");
  expect(typed.map(({ kind }) => kind)).toEqual(["asks", "echo", "echo", "echo", "line", "line"]);
});

test("a command typed during a call is reported as an echo, and its prompt is not reported", () => {
  expect(seenIn("[tool] wait auto", "\r\ncommand> ", "/stop notes\r\n", "* notes is stopped\r\n")).toEqual([
    { kind: "line", text: "[tool] wait auto" },
    { kind: "echo", text: "command> /stop notes" },
    { kind: "line", text: "* notes is stopped" },
  ]);
  expect(seenIn("agent> command> /exit\r\n")).toEqual([{ kind: "line", text: "agent> command> /exit" }]);
});

test("a prompt that is repeated after a message of init is not reported again", () => {
  const all = ["you> ", "h", "\r\ncapos: notes stopped (signal 9)\r\n", "capos: notes said: x\r\n", "you> h", "i\r\n"];
  const seen = [
    { kind: "asks", for: "line" },
    { kind: "echo", text: "you> h" },
    { kind: "line", text: "capos: notes stopped (signal 9)" },
    { kind: "line", text: "capos: notes said: x" },
    { kind: "echo", text: "you> hi" },
    { kind: "line", text: "agent> hello" },
    { kind: "asks", for: "line" },
  ];
  expect(seenIn(...all, "agent> hello\r\n", "you> ")).toEqual(seen);
  expect(seenIn("you> ", "\r\ncapos: a\r\nyou> ", "hi\r\n* b\r\nyou> ").map(({ kind }) => kind)).toEqual([
    "asks",
    "echo",
    "line",
    "echo",
    "line",
    "asks",
  ]);
});

test("a prompt after a message of init is reported if a typed line was answered before, or if no prompt came before", () => {
  const kinds = seenIn("you> ", "/stop notes\r\n* notes is stopped\r\ncapos: notes stopped\r\nyou> ").map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(["asks", "echo", "line", "line", "asks"]);
  expect(seenIn("capos: ready\r\nyou> ").map(({ kind }) => kind)).toEqual(["line", "asks"]);
  // A prompt that is printed twice in one chunk is reported once.
  expect(seenIn("you> \r\ncapos: ready\r\nyou> ").map(({ kind }) => kind)).toEqual(["line", "line", "asks"]);
});

test("text that resembles a question, with text before or after it, is not a question", () => {
  expect(seenIn("agent> you> ", "\r\n", "agent> allow? type abc to allow, no to refuse> ")).toEqual([
    { kind: "line", text: "agent> you> " },
  ]);
});

test("cursor movements are dropped, and other control characters are escaped", () => {
  expect(seenIn("\u001b[2J\u001b[1;1Hboot\u0007 \u202emoc\r\n")).toEqual([
    { kind: "line", text: "boot‹U+0007› ‹U+202E›moc" },
  ]);
});

test("a character of several bytes may be split anywhere", () => {
  const reader = readConsole();
  const whole = bytes("→ ok\n");
  expect([...whole].flatMap((byte) => [...reader.push(Uint8Array.of(byte))]).at(-1)).toEqual({
    kind: "line",
    text: "→ ok",
  });
});

test("a line that is too long is truncated, and the next one is read correctly", () => {
  const [long, next] = seenIn("x".repeat(100_000), "y".repeat(100_000), "\nshort\n");
  expect(long?.kind === "line" && long.text.length).toBe(16_384);
  expect(next).toEqual({ kind: "line", text: "short" });
});

test("property: lines do not depend on the chunks of bytes, and nothing throws", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), (all, cut) => {
      const lines = (parts: Uint8Array[]): unknown[] => {
        const reader = readConsole();
        return parts
          .flatMap((part) => [...reader.push(part)])
          .flatMap((seen) => (seen.kind === "line" || seen.kind === "echo" ? [seen.text] : []));
      };
      expect(lines([all.subarray(0, cut), all.subarray(cut)])).toEqual(lines([all]));
    }),
  );
});

test("the event of a step-up contains the line to be signed, and a similar line of a model is ignored", () => {
  const seen = seenIn('* sign this line: {"a":1}\r\n', "agent> * sign this line: evil\r\n", "paste the signature> ");
  expect(seen.at(-1)).toEqual({ kind: "asks", for: "signature", challenge: '{"a":1}' });
});

test("prompts and questions of another session contain its name", () => {
  expect(seenIn("you (visitor)> ").at(-1)).toEqual({ kind: "asks", for: "line" });
  const seen = seenIn('* (visitor) sign this line: {"a":1}\r\n', "paste the signature> ");
  expect(seen.at(-1)).toEqual({ kind: "asks", for: "signature", challenge: '{"a":1}' });
});

test("the console's question for a passphrase is recognized only at the start of a terminal row", () => {
  const unseen = { kind: "asks", for: "unseen" };
  for (const prompt of ["passphrase, which is not shown> ", "the new passphrase once more> "])
    expect(seenIn("you> ", "/login\r\n", prompt).at(-1)).toEqual(unseen);
  expect(seenIn("agent> passphrase, which is not shown> ")).not.toContainEqual(unseen);
});

test("only init's question for a passphrase is recognized, and only until the first prompt", () => {
  const asked = { kind: "asks", for: "passphrase" };
  expect(seenIn("passphrase of capos-data> ", "\r\n", "capos: more\r\n", "once more> ")).toEqual([
    asked,
    { kind: "echo", text: "passphrase of capos-data> " },
    { kind: "line", text: "capos: more" },
    asked,
  ]);
  expect(seenIn("new passphrase of capos-data> ")).toEqual([asked]);
  expect(seenIn("you> ", "hi\r\n", "passphrase of capos-data> ")).not.toContainEqual(asked);
  expect(seenIn("agent> passphrase of capos-data> ")).toEqual([]);
});

test("a line that wraps over several rows is one line, however its bytes are split into chunks", () => {
  const rows = "agent> one two \r\n  three\r\n  four\r\n[tool] a.x {} auto → ok\r\n* end\r\nyou> ";
  const whole: ConsoleEvent[] = [
    { kind: "line", text: "agent> one two threefour" },
    { kind: "line", text: "[tool] a.x {} auto → ok" },
    { kind: "line", text: "* end" },
    { kind: "asks", for: "line" },
  ];
  fc.assert(
    fc.property(fc.array(fc.nat(rows.length)), (cuts) => {
      const places = [...cuts.sort((a, b) => a - b), rows.length];
      const chunks = places.map((end, index) => rows.slice(index === 0 ? 0 : places[index - 1], end));
      expect(seenIn(...chunks)).toEqual(whole);
    }),
  );
});

test("a line that may continue on the next terminal row is reported as unfinished, and as complete at the end", () => {
  const reader = readConsole();
  expect(reader.push(bytes("* stopped\n"))).toEqual([{ kind: "unfinished", text: "* stopped" }]);
  expect(reader.end()).toEqual([{ kind: "line", text: "* stopped" }]);
  expect(reader.end()).toEqual([]);
});

test("terminal rows below a line without a mark do not continue the line", () => {
  expect(seenIn("kernel\n  more\n  still\n").map(({ kind }) => kind)).toEqual(["line", "line", "line"]);
});

test("a page of a long call counts as a question that a key answers, and a question that offers to remember contains both sets of letters", () => {
  const asks = { kind: "asks", for: "page" };
  expect(seenIn("page 1 of 3: space shows the next, q refuses> ")).toEqual([asks]);
  expect(seenIn("page 2 of 3: space shows the next, b the one before, q refuses> ")).toEqual([asks]);
  expect(seenIn("allow? type kfm for once, qwz for all of that, no to refuse> ")).toEqual([
    { kind: "asks", for: "approval", letters: "kfm", remembering: "qwz" },
  ]);
});

test("a prompt counts as pre-filled only after a notice that the console kept a typed line, and not because of other typed text", () => {
  const kept = "* typed before the question: Enter sends it, Ctrl-U drops it\n";
  const filled = { kind: "asks", for: "line", isFilled: true } as const;
  expect(seenIn(kept, "you> he", "llo").slice(1)).toEqual([filled]);
  expect(seenIn(`${kept}you> `, "hello").slice(1)).toEqual([filled]);
  expect(seenIn(`agent> ${kept.slice(2)}`, "you> hello").slice(1)).toEqual([]);
  expect(seenIn(kept, "* more\n", "you> hello").slice(2)).toEqual([]);
});
