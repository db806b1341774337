import fc from "fast-check";
import { expect, test } from "vitest";
import { readConsole } from "../machine/chat/console.ts";
import { Screen } from "./screen.ts";

function draw(columns: number, act: (screen: Screen) => void): string {
  let drawn = "";
  const screen = new Screen({
    write: (text) => {
      drawn += text;
    },
    columns: () => columns,
  });
  act(screen);
  screen.fresh();
  return drawn;
}

test("each line of a text begins with the speaker's mark", () => {
  expect(draw(80, (screen) => screen.text("agent> ", "one\ntwo\n\nthree"))).toBe(
    "agent> one\nagent> two\nagent> \nagent> three\n",
  );
});

test("pieces of a text continue its line, and another speaker begins a new one", () => {
  const drawn = draw(80, (screen) => {
    screen.text("agent> ", "buy ");
    screen.text("agent> ", "milk");
    screen.text("[tool] ", "notes.read");
    screen.line("* ", "done");
  });
  expect(drawn).toBe("agent> buy milk\n[tool] notes.read\n* done\n");
});

test("a line that does not fit continues behind two blanks, with a long word split", () => {
  expect(draw(20, (screen) => screen.text("* ", "alpha beta gamma delta"))).toBe("* alpha beta gamma \n  delta\n");
  expect(draw(20, (screen) => screen.text("* ", "x".repeat(30)))).toBe(`* ${"x".repeat(16)}\n  ${"x".repeat(14)}\n`);
});

test("control characters and line ends of a single line are shown, and not obeyed", () => {
  const drawn = draw(80, (screen) => screen.line("* ", "a\u001b[2Jb\rc\nyou> d"));
  expect(["\u001b", "\r"].filter((one) => drawn.includes(one))).toEqual([]);
  expect(drawn).toMatch(/^\* a.*b.*c you> d\n$/);
});

test("no text draws a row that begins like a prompt or another speaker, and rows can be joined again", () => {
  const words = fc.constantFrom(
    "you> ",
    "* ",
    "allow? ",
    "[tool] ",
    "agent> ",
    "x",
    "é",
    "漢",
    " ",
    "\n",
    "\u001b[1G",
    "a".repeat(40),
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), fc.integer({ min: 20, max: 90 }), (pieces, columns) => {
      const drawn = draw(columns, (screen) => {
        for (const piece of pieces) screen.text("agent> ", piece);
      });
      const rows = drawn.split("\n").slice(0, -1);
      expect(rows.filter((row) => !/^(?:agent> | {2})/.test(row))).toEqual([]);
      const reader = readConsole();
      const events = [...reader.push(new TextEncoder().encode(drawn)), ...reader.end()];
      expect(events.filter(({ kind }) => kind === "asks")).toEqual([]);
      const lines = events.flatMap((event) => (event.kind === "line" ? [event.text] : []));
      expect(lines.filter((line) => !line.startsWith("agent> "))).toEqual([]);
    }),
  );
});
