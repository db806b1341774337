import fc from "fast-check";
import { expect, test } from "vitest";
import { tool } from "../../lib/policy/testing/sample.ts";
import {
  excerpt,
  MAX_RESULT_BYTES,
  renderDrawnArguments,
  renderFailure,
  renderResult,
  renderUnusable,
} from "./result.ts";

test("a result is canonical JSON, whatever the provider wrote", () => {
  expect(renderResult(tool("a.x"), ' { "b": 1, "a": [ 2.0 ] } ')).toBe('{"a":[2],"b":1}');
});

const reading = tool("a.x", { readOnly: true });
const writing = tool("a.x", { readOnly: false });

test("returns JSON that is not an object as text, and masks it whole if fields are masked", () => {
  expect(renderResult(tool("a.x"), ' "\\u0041 b" ')).toBe('{"text":"A b"}');
  expect(renderResult(tool("a.x", { redact: ["token"] }), '"token: hunter2"')).toBe('{"text":"[redacted]"}');
  expect(renderResult(tool("a.x", { truncateBytes: 12 }), '"abcdef"')).toBe('{"text":"abc [cut: 5 more bytes]');
  for (const json of ["[1]", "1", "null"]) expect(renderResult(tool("a.x"), json)).toBe(JSON.stringify({ text: json }));
});

test.each([
  ["an empty answer", "", "a value is expected at character 1"],
  ["an unfinished text", '"', "a text is not closed or holds a control character at character 2"],
  ["two values", '"a" 1', "something follows the value at character 5"],
  ["a repeated name", '{"a":1,"a":2}', "the same name stands twice at character 8"],
  [
    "an integer beyond 2^53",
    '{"a":12345678901234567890}',
    "an integer is beyond 2^53 - 1 and must travel as text at character 6",
  ],
  ["a number out of range", '{"a":1e999}', "a number is too large at character 6"],
  ["nesting that is too deep", "[".repeat(99), "deeper than 32 levels at character 33"],
])(
  "returns %s as text, after a note that says that the call ran and why its result cannot be used",
  (_, json, reason) => {
    const note = (again: string) =>
      `[it ran, and its answer cannot be used${again}: it is not acceptable JSON: ${reason}]`;
    const text = (again: string) =>
      JSON.stringify({ text: [note(again), json].filter((part) => part !== "").join("\n") });
    expect(renderResult(reading, json)).toBe(text(""));
    expect(renderResult(writing, json)).toBe(text("; do not call it again for that"));
    const masked = renderResult({ ...reading, redact: ["a"] }, json);
    expect(masked).toBe(JSON.stringify({ text: `${note("")}\n[redacted]` }));
  },
);

test("the note about a malformed answer is whole, however long the answer is", () => {
  const told = renderUnusable(writing, "x".repeat(1_000_000), "it is not UTF-8");
  expect(told).toMatch(/^\{"text":"\[it ran, .*: it is not UTF-8\]\\nx+/);
  expect(Buffer.byteLength(told)).toBeLessThan(MAX_RESULT_BYTES + 100);
});

test("an answer's text is rendered after the answer's object, and is masked as a whole if fields are masked", () => {
  const json = '[{"b":1,"a":"hunter2"},"hunter2\\n[cut"]';
  expect(renderResult(reading, json)).toBe('{"a":"hunter2","b":1}\n"hunter2\\n[cut"');
  expect(renderResult({ ...reading, redact: ["a"] }, json)).toBe('{"a":"[redacted]","b":1}\n"[redacted]"');
});

test("limits the length of an error message like that of a result, and masks a program's message if fields are masked", () => {
  expect(renderFailure(reading, "x".repeat(30_000))).toBe("x".repeat(30_000));
  expect(renderFailure({ ...reading, truncateBytes: 4 }, "abcdef")).toBe("abcd [cut: 2 more bytes]");
  expect(renderFailure({ ...reading, redact: ["a"] }, "no such file")).toBe("no such file");
  expect(renderFailure({ ...reading, redact: ["a"], pageProgram: true }, "hunter2")).toBe("[redacted]");
});

test("masks the fields that the page names, including nested fields, and no other field", () => {
  const masking = tool("a.x", { redact: ["token", "owner.mail", "absent", "list.name"] });
  const json = '{"token":"secret","owner":{"mail":"m@x","name":"n"},"list":["name"]}';
  expect(renderResult(masking, json)).toBe(
    '{"list":["name"],"owner":{"mail":"[redacted]","name":"n"},"token":"[redacted]"}',
  );
});

test("masks a field whose name every object inherits, and adds no field", () => {
  expect(renderResult(tool("a.x", { redact: ["constructor"] }), '{"a":1}')).toBe('{"a":1}');
  expect(renderResult(tool("a.x", { redact: ["constructor"] }), '{"constructor":1}')).toBe(
    '{"constructor":"[redacted]"}',
  );
});

test("cuts a long result at its tool's limit, in whole characters, and notes the cut", () => {
  const cut = renderResult(tool("a.x", { truncateBytes: 10 }), '{"a":"€€€"}');
  expect(cut).toBe('{"a":"€ [cut: 8 more bytes]');
  expect(renderResult(tool("a.x", { truncateBytes: 17 }), '{"a":"€€€"}')).toBe('{"a":"€€€"}');
  expect(renderResult(tool("a.x"), JSON.stringify({ a: "x".repeat(MAX_RESULT_BYTES) }))).toMatch(
    /\[cut: 8 more bytes\]$/,
  );
});

test("a long argument does not hide the other arguments in a notice", () => {
  expect(renderDrawnArguments('{"content":"x","path":"a"}', 512)).toBe('{"content":"x","path":"a"}');
  expect(renderDrawnArguments(JSON.stringify({ content: "x".repeat(600), path: "inbox/a" }), 512)).toBe(
    `{"content":"${"x".repeat(255)} [cut: 346 more bytes],"path":"inbox/a"}`,
  );
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, "x".repeat(9)])));
  expect(renderDrawnArguments(many, 512)).toBe(`${many.slice(0, 512)} [cut: ${many.length - 512} more bytes]`);
  for (const none of ["x".repeat(600), `["${"x".repeat(600)}"]`])
    expect(renderDrawnArguments(none, 512)).toBe(`${none.slice(0, 512)} [cut: ${none.length - 512} more bytes]`);
});

test("property: the arguments in a notice have a maximum length, and if there are few, each short one is shown whole", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 900 }), { minLength: 1, maxLength: 8 }), (texts) => {
      const json = JSON.stringify({ ...texts.map((text) => text.toWellFormed()), path: "inbox/a" });
      const drawn = renderDrawnArguments(json, 512);
      expect(Buffer.byteLength(drawn)).toBeLessThan(512 + 9 * 64);
      expect(drawn).toMatch(/"path":"inbox\/a"\}$/);
    }),
  );
});

test("an excerpt has at most 1024 bytes of the text, and states how many bytes are missing", () => {
  expect(excerpt("x".repeat(5000))).toBe(`${"x".repeat(1024)} [cut: 3976 more bytes]`);
});

test("a text for a person is not cut if the note about the cut would be as long as the cut part", () => {
  const note = " [cut: 20 more bytes]".length;
  const whole = "x".repeat(1024 + note);
  expect(excerpt(whole)).toBe(whole);
  expect(excerpt(`${whole}x`)).toBe(`${"x".repeat(1024)} [cut: ${note + 1} more bytes]`);
  const status = JSON.stringify({
    text: `${"x".repeat(25)}status`,
    ...Object.fromEntries([..."abcdefg"].map((name) => [name, "y".repeat(25)])),
  });
  expect(renderDrawnArguments(status, 256)).toBe(status);
});

test("masks a field in every element of a list", () => {
  const redacting = tool("a.x", { redact: ["items.secret", "keys"] });
  const given = '{"items":[{"secret":"hunter2"},{"other":1},[{"secret":2}]],"keys":["a","b"]}';
  const masked = '{"items":[{"secret":"[redacted]"},{"other":1},[{"secret":"[redacted]"}]],"keys":"[redacted]"}';
  expect(renderResult(redacting, given)).toBe(masked);
});

test("property: cuts any provider's answer at its limit, and never returns a masked value", () => {
  const masking = tool("a.x", { redact: ["key", "list.key", "list.list.key"], truncateBytes: 100 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string({ unit: "binary" }),
        fc.dictionary(fc.string(), fc.jsonValue()).map((one) => JSON.stringify(one)),
      ),
      (json) => {
        const text = renderResult(masking, json);
        const most = 100 + " [cut: 9999999 more bytes]".length;
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
      },
    ),
    { numRuns: 500 },
  );
  const secret = fc.dictionary(fc.constantFrom("a", "b"), fc.constant("hunter2"));
  fc.assert(
    fc.property(secret, fc.array(secret), (key, keys) => {
      const json = JSON.stringify({ key, list: [keys.map((one) => ({ key: one, list: { key: one } }))] });
      expect(renderResult({ ...masking, truncateBytes: 0 }, json)).not.toContain("hunter2");
    }),
  );
});
