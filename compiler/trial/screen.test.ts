import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { readConsole } from "../machine/chat/console.ts";
import { Markdown, PLAIN } from "./markdown.ts";
import { Screen } from "./screen.ts";

/** Opens a screen of 80 columns that is a terminal. */
function openScreen(write: (text: string) => void): Screen {
  return new Screen({ write, columns: () => 80, rows: () => 24, isRewritable: true, isPainted: true });
}

function draw(columns: number, act: (screen: Screen) => void, isRewritable = false, isPainted = isRewritable): string {
  let drawn = "";
  const screen = new Screen({
    write: (text) => {
      drawn += text;
    },
    columns: () => columns,
    rows: () => 24,
    isRewritable,
    isPainted,
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

test("pieces of a text continue its line, and another speaker begins a new line", () => {
  const drawn = draw(80, (screen) => {
    screen.text("agent> ", "buy ");
    screen.text("agent> ", "milk");
    screen.text("[tool] ", "notes.read");
    screen.line("* ", "done");
  });
  expect(drawn).toBe("agent> buy milk\n[tool] notes.read\n* done\n");
});

test("a line that does not fit continues in rows that begin with two blanks, and a long word is split", () => {
  expect(draw(20, (screen) => screen.text("* ", "alpha beta gamma delta"))).toBe("* alpha beta gamma \n  delta\n");
  expect(draw(20, (screen) => screen.text("* ", "x".repeat(30)))).toBe(`* ${"x".repeat(16)}\n  ${"x".repeat(14)}\n`);
});

test("control characters and line ends within a single line are shown as text and have no effect", () => {
  const drawn = draw(80, (screen) => screen.line("* ", "a\u001b[2Jb\rc\nyou> d"));
  expect(["\u001b", "\r"].filter((one) => drawn.includes(one))).toEqual([]);
  expect(drawn).toMatch(/^\* a.*b.*c you> d\n$/);
});

test("no text draws a row that begins like a prompt or another speaker, and a reader can join the rows to the original lines", () => {
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

const ESCAPE = String.fromCharCode(0x1b);
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g");

test("each mark has the colour of its speaker, and a model's text can set attributes but no colours", () => {
  const act = (screen: Screen): void => {
    screen.text("agent> ", "a **b**\n");
    screen.line("* ", "a **b**");
  };
  expect(draw(80, act, true)).toBe(
    "\u001b[32magent> \u001b[0ma \u001b[0;2m**\u001b[0;1mb\u001b[0;1;2m**\u001b[0m\n\u001b[36m* \u001b[0ma **b**\n",
  );
});

test("colours and attributes change no character", () => {
  const pieces = fc.constantFrom("**a", "b** ", "*c* ", "`d` ", "# e", "\n", "```\n", "_f g_ ", "\u001b[31mred", "漢");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.integer({ min: 20, max: 60 }), (texts, columns) => {
      const act = (screen: Screen): void => {
        for (const text of texts) screen.text("agent> ", text);
      };
      expect(draw(columns, act, true).replaceAll(COLOUR, "")).toBe(draw(columns, act, true, false));
    }),
  );
});

test("the next output erases the line about the work in progress, which is drawn only if the output can be rewritten", () => {
  const act = (screen: Screen): void => {
    screen.state("thinking 1 s");
    screen.state("thinking 2 s\u001b[2J");
    screen.text("[tool] ", "notes.read");
    screen.state("running 1 s");
    screen.text("[tool] ", " → ok\n");
  };
  const erase = "\r\u001b[K";
  const unpainted = draw(80, act, true).replaceAll(COLOUR, "");
  expect(unpainted).toBe(
    `* thinking 1 s${erase}* thinking 2 s‹U+001B›[2J${erase}[tool] notes.read\n  running 1 s${erase}\u001b[A${erase}[tool] notes.read → ok\n`,
  );
  expect(draw(80, act)).toBe("[tool] notes.read → ok\n");
});

test("on a terminal, only the first line of each text of a model begins with the speaker's mark", () => {
  const drawn = draw(
    80,
    (screen) => {
      screen.text("agent> ", "one\ntw");
      screen.text("agent> ", "o\n\nthree\n");
      screen.text("loop> ", "a\nb\n");
      screen.text("agent> ", "four");
    },
    true,
  );
  expect(stripVTControlCharacters(drawn)).toBe("agent> one\n  two\n  \n  three\nloop> a\nloop> b\nagent> four\n");
});

const TABLE = "Here:\n| name | n |\n|---|--:|\n| **Ada** | 1 |\n| 漢字 | 200 |\nDone.\n| a | b |\n";

test("a table is drawn in columns, however its text is split into pieces", () => {
  const rows = [
    "| name    |   n |",
    "|---------|----:|",
    "| **Ada** |   1 |",
    "| 漢字    | 200 |",
    "Done.",
    "| a | b |",
  ];
  for (const size of [1, 2, 7, 200]) {
    const pieces = TABLE.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    const act = (screen: Screen): void => {
      for (const piece of pieces) screen.text("agent> ", piece);
    };
    const drawn = draw(80, act, true);
    expect(stripVTControlCharacters(drawn)).toBe(`agent> Here:\n${rows.map((row) => `  ${row}\n`).join("")}`);
  }
  const block = draw(80, (screen) => screen.text("agent> ", "```\n|a|\n|-|\n```\n"), true);
  expect(stripVTControlCharacters(block)).toBe("agent> ```\n  |a|\n  |-|\n  ```\n");
  expect(draw(80, (screen) => screen.text("agent> ", TABLE))).toContain("agent> | name | n |\n");
});

test("a tab in a cell of a table is a blank", () => {
  const drawn = draw(80, (screen) => screen.text("agent> ", "|a\tb|\t\n|-|\n"), true);
  expect(stripVTControlCharacters(drawn)).toBe("agent> \n  | a b |\n  |-----|\n");
});

test("control characters in a cell of a table have no effect", () => {
  const drawn = draw(80, (screen) => screen.text("agent> ", "|a\u001b[2J\r|\n|-|\n"), true);
  expect(stripVTControlCharacters(drawn)).toBe("agent> \n  | a‹U+001B›[2J‹U+000D› |\n  |----------------------|\n");
});

test("a table with too many rows or characters is drawn before its end, and no part of the table is lost", () => {
  for (const [row, count] of [
    ["| x |\n", 102],
    [`| ${"x".repeat(500)} |\n`, 60],
  ] as const) {
    let drawn = "";
    const screen = openScreen((text) => {
      drawn += text;
    });
    const text = `| a |\n|---|\n${row.repeat(count)}`;
    for (const piece of text.split(/(?<=\n)/)) screen.text("agent> ", piece);
    expect(drawn).toContain("x");
    screen.fresh();
    expect(drawn.match(/x/g)).toHaveLength(text.match(/x/g)?.length ?? 0);
  }
});

test("the stored output is bounded, and a redrawn window shows the end of the output", () => {
  let drawn = "";
  const screen = openScreen((text) => {
    drawn += text;
  });
  const again = (most: number): string => {
    drawn = "";
    screen.drawAgain(most);
    return stripVTControlCharacters(drawn);
  };
  for (let number = 1; number <= 410; number++) screen.line("* ", `line ${number}`);
  const rows = again(1000).split("\n").slice(0, -1);
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([400, "* line 11", "* line 410"]);
  for (let count = 0; count < 50; count++) screen.text("agent> ", "word ".repeat(1000));
  screen.text("agent> ", "end\n");
  expect(again(10_000).match(/word/g)?.length ?? 0).toBeLessThan(4000);
  screen.line("* ", "last");
  const last = again(24).split("\n");
  expect([last.length, last.at(-2), last.at(-3)?.trimEnd().endsWith("end")]).toEqual([25, "* last", true]);
});

test("an unfinished line that is drawn again continues behind its last row", () => {
  let [drawn, columns] = ["", 80];
  const write = (text: string): void => {
    drawn += text;
  };
  const screen = new Screen({ write, columns: () => columns, rows: () => 24, isRewritable: true, isPainted: false });
  screen.text("agent> ", "word ".repeat(9));
  columns = 40;
  screen.drawAgain(24);
  drawn = "";
  screen.text("agent> ", "goes on");
  expect(drawn).toBe("goes on");
  screen.state("running 1 s");
  drawn = "";
  screen.text("agent> ", "!");
  expect(drawn).toBe("\r\u001b[K\u001b[A\r\u001b[K  word word word goes on!");
});

test("the time to redraw a window does not depend on the amount of earlier output", () => {
  let drawn = "";
  const screen = openScreen((text) => {
    drawn += text;
  });
  for (let count = 0; count < 20; count++) screen.text("agent> ", `${"word ".repeat(3000)}\n`);
  let styled = 0;
  const style = vi.spyOn(Markdown.prototype, "style").mockImplementation(() => {
    styled += 1;
    return PLAIN;
  });
  onTestFinished(() => style.mockRestore());
  drawn = "";
  screen.drawAgain(24);
  expect(styled).toBeLessThan(32 * 1024);
  expect(drawn.split("\n")).toHaveLength(25);
});

test("the terminal must not wrap a row of a table, because the wrapped text would begin a row like a line of the console", () => {
  const cell = "\u{17000}".repeat(60);
  const drawn = draw(80, (screen) => screen.text("agent> ", `| a | b |\n|---|---|\n| ${cell} | * allowed |\n`), true);
  const rows = drawn.split("\n").filter((row) => row.includes("|"));
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row).toMatch(new RegExp(`^ {2}${ESCAPE}\\[\\?7l\\|.*\\|${ESCAPE}\\[\\?7h$`));
});

test("the output is redrawn in the present width of the window, without its first rows if they do not fit", () => {
  let [drawn, columns] = ["", 80];
  const screen = new Screen({
    write: (text) => {
      drawn += text;
    },
    columns: () => columns,
    rows: () => 24,
    isRewritable: true,
    isPainted: true,
  });
  screen.line("* ", "first");
  screen.text("agent> ", `${"word ".repeat(12)}\n| a |\n|---|\n| ${"cell ".repeat(12)}|\n`);
  screen.fresh();
  screen.noteEntered("you> ", "typed ".repeat(9));
  screen.text("agent> ", "going ");
  const again = (most: number): readonly string[] => {
    drawn = "";
    screen.drawAgain(most);
    return stripVTControlCharacters(drawn).split("\n");
  };
  columns = 50;
  const rows = again(100);
  expect(rows.filter((row) => row.length > 50)).toEqual([]);
  expect(rows[0]).toBe("* first");
  expect(rows[1]).toMatch(/^agent> word/);
  expect(rows.at(-1)).toBe("agent> going ");
  expect(rows.filter((row) => row.startsWith("  | "))).toHaveLength(3);
  expect(rows.find((row) => row.startsWith("you> "))).toMatch(/^you> typed/);
  expect(again(2)).toHaveLength(3);
  drawn = "";
  screen.text("agent> ", "on\n");
  expect(stripVTControlCharacters(drawn)).toBe("on\n");
  screen.forget();
  expect(again(100)).toEqual([""]);
});
