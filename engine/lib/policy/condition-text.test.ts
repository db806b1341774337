import { expect, test } from "vitest";
import { renderCondition } from "./condition-text.ts";
import { check } from "./testing/sample.ts";

test.each([
  [check("path", "equal", "a.txt"), 'path == "a.txt"'],
  [check("path", "notEqual", 'a "b"'), 'path != "a \\"b\\""'],
  [check("lines", "less", 3), "lines < 3"],
  [check("lines", "lessOrEqual", 3), "lines <= 3"],
  [check("lines", "greater", 3), "lines > 3"],
  [check("lines", "greaterOrEqual", 3), "lines >= 3"],
  [check("force", "equal", true), "force == true"],
  [check("path", "under", "/drafts"), 'path under "/drafts"'],
  [check("path", "in", "a", "b"), 'path in ["a", "b"]'],
  [check("path", "in", "a"), 'path in ["a"]'],
  [{ ...check("options", "equal", "fast"), path: ["options", "speed"] }, 'options.speed == "fast"'],
  [{ ...check("content", "lessOrEqual", 65536), term: "size" as const }, "size(content) <= 65536"],
  [{ ...check("url", "equal", "https://a.example"), term: "origin" as const }, 'origin(url) == "https://a.example"'],
  [
    { ...check("to", "from"), sources: [{ which: "person" as const }, { which: "atLeast" as const, atLeast: 2 }] },
    "to from person, integrity level 2",
  ],
  [
    {
      ...check("to", "from"),
      sources: [
        {
          which: "field" as const,
          field: {
            tool: "files.read",
            name: "content",
            isStrong: false,
            related: [
              { name: "path", ofCall: true, text: "", sources: [{ which: "person" as const }] },
              { name: "owner", ofCall: false, text: "ada", sources: [] },
            ],
          },
        },
      ],
    },
    'to from files.read(path from person).content[owner == "ada"]',
  ],
  [
    {
      ...check("body", "in", "a.example"),
      ...{ term: "domain" as const, each: "every" as const, extract: "urls" as const, absentHolds: true },
    },
    'every(domain(urls(body))) in ["a.example"] or absent',
  ],
  [{ ...check("items", "less", 3), path: ["items", "amount"], each: "some" as const }, "some(items.amount) < 3"],
  [{ ...check("cc", "equal", true), term: "has" as const }, "has(cc)"],
  [{ ...check("cc", "equal", false), term: "has" as const }, "not has(cc)"],
  [{ ...check("cc", "equal", 2), term: "count" as const }, "count(cc) == 2"],
  [check("number", "matches", "INV-####*"), 'number matches "INV-####*"'],
  [{ ...check("due", "less", 1_798_675_200_000), term: "date" as const }, 'date(due) < "2026-12-31"'],
  [{ ...check("due", "less", 0.5), term: "date" as const }, "date(due) < 0.5"],
  [{ ...check("length", "lessOrEqual", 300_000), term: "duration" as const }, "duration(length) <= 5 min"],
  [check("subject", "startsWith", "Re: "), 'subject startsWith "Re: "'],
])("renders a condition as the page writes it: %#", (condition, words) => {
  expect(renderCondition(condition)).toBe(words);
});
