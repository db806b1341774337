import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_TEXT_LENGTH, splitTokens } from "./tokens.ts";

const write = (text: string): string =>
  splitTokens(text)
    .map(({ kind, text, isWeak }) => `${kind}:${text}${isWeak ? "~" : ""}`)
    .join(" ");

describe("canonical forms", () => {
  test.each([
    [
      "an address in lower case",
      "to Emma.Johnson@Blue-Sparrow.tech,",
      "word:to address:emma.johnson@blue-sparrow.tech",
    ],
    ["an address of a link", "mailto:ada@example.org", "address:ada@example.org"],
    ["ends an address at its domain", "ada@example.com.They left", "address:ada@example.com word:they word:left"],
    ["a link without scheme and slash", "http://My-Site-234.com/random/.", "url:my-site-234.com/random"],
    ["keeps the case of a path", "https://a.example/Random", "url:a.example/Random"],
    ["ends a link at its domain", "www.example.com.They said", "url:www.example.com word:they word:said"],
    ["reads a bare domain as a link", "see example.com now", "word:see url:example.com word:now"],
    ["tells a longer domain apart", "evil-example.com", "url:evil-example.com"],
    ["does not read an abbreviation as a file", "e.g. this", "word:e word:g word:this"],
    ["a file", "pay 'bill-december-2023.txt'?", "word:pay file:bill-december-2023.txt"],
    ["a path", "/Reports//./May.md", "file:reports/may.md"],
    [
      "a date",
      "2024-01-11 11.1.2024 1/13/2024 2024-01-11T10:00:00Z",
      "date:2024-01-11 date:2024-01-11 date:2024-01-13 date:2024-01-11",
    ],
    ["a date in words", "January 11th, 2024; the 14th of November 2023", "date:2024-01-11 word:the date:2023-11-14"],
    ["a date without a year is weak", "on Jan 11th at", "word:on date:--01-11~ word:at"],
    ["an impossible day is not a date", "February 30", "word:february number:30~"],
    ["an amount by its value", "$30,000 1,050.50 EUR 7.0%", "number:30000 number:1050.5 word:eur number:7"],
    ["a scale", "5k and 2.5M", "number:5000 word:and number:2500000"],
    ["below zero", "-5.50 and -0.0", "number:-5.5 word:and number:0"],
    ["a small number without a unit is weak", "12 of 12 euros", "number:12~ word:of number:12 word:euros"],
    ["a time is not a number", "12:30 at 7pm", "word:12:30~ word:at word:7pm~"],
    ["digits within a word are not a number", "room x12y", "word:room word:x12y"],
    ["an account", "us133000000121212121212", "account:US133000000121212121212"],
    ["an account in groups", "DE89 3704 0044 0532 0130 00 thanks", "account:DE89370400440532013000 word:thanks"],
    ["drops invisible characters", "a\u200bda@exam\u00adple.com", "address:ada@example.com"],
    ["unifies compatibility forms", "Ｕｓｅｒ ﬁle", "word:user word:file"],
    ["nothing", " \t…!?", ""],
  ])("%s", (_, text, tokens) => {
    expect(write(text)).toBe(tokens);
  });

  test("ignores text beyond the maximum length", () => {
    expect(splitTokens("a ".repeat(MAX_TEXT_LENGTH))).toHaveLength(MAX_TEXT_LENGTH / 2);
  });
});

describe("laws", () => {
  const pieces = fc.constantFrom(
    ..."www. example .com @ https:// / . , 1 12 100 , 000 January 11th 2024 - : a Z DE89 3704 € EUR ' \u200b \n . They é ß ー 😀 \ud800".split(
      " ",
    ),
    " ",
  );
  const texts = fc.oneof(
    fc.string({ maxLength: 200, unit: "grapheme" }),
    fc.array(pieces, { maxLength: 60 }).map((list) => list.join("")),
  );

  test("no token is empty or contains a blank", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const token of splitTokens(text)) expect(token.text).toMatch(/^\S+$/u);
      }),
    );
  });

  test("the tokens of two words do not depend on the text between them", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const inside = splitTokens(`word\n"${text}"\nword`).map(({ text: token }) => token);
        // Check only the first and the last token. The tokens between them may differ from those of the text alone,
        // because a date, an account number or a unit may join the text with its neighbours.
        expect(inside[0]).toBe("word");
        expect(inside.at(-1)).toBe("word");
      }),
    );
  });

  test("the case of letters matters only in the path of a link", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("ada@example.com", "www.example.com", "report.txt", "some words", "de89370400440532013000"),
        (text) => {
          expect(write(text.toUpperCase())).toBe(write(text));
        },
      ),
    );
  });

  test.each([
    "a ",
    "www.",
    "1,",
    "1,111",
    "@",
    "a@b.Cc",
    "January ",
    "a@b.cc.D",
    "AB12 ",
    "/a",
    "a.",
    "-",
    "1.1.",
    "\u200b",
    "😀",
  ])("splits a text of repeated %j, up to the maximum length, in linear time", (piece) => {
    // With quadratic time this would take hours, and the test would time out.
    const tokens = splitTokens(piece.repeat(MAX_TEXT_LENGTH / piece.length));
    expect(tokens.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
  });
});
