import fc from "fast-check";
import { expect, test } from "vitest";
import { nameListedTool } from "./tool-name.ts";

test.each([
  ["get_issue", "get_issue"],
  ["get-issue", "get-issue"],
  ["issues.get", "issues_get_b7c164c9"],
  ["issues/get", "issues_get_"],
  ["get an issue", "get_an_issue_"],
  ["3d", "_3d_"],
  ["-", "_"],
  ["a".repeat(128), `${"a".repeat(48)}_`],
])("gives the tool that a server lists as %j a name for pages and models", (listed, name) => {
  expect(nameListedTool(listed)?.startsWith(name.slice(0, 52))).toBe(true);
});

test.each([
  ["get it 2", "get_it_2_3c08dbd3"],
  ["a.!b", "a_b_11886cf9"],
  ["issues/get", "issues_get_0dcdc69f"],
  ["3d", "_3d_da0568a2"],
  ["a-", "a_9baf4407"],
])("the name of %j is exactly %s", (listed, name) => {
  expect(nameListedTool(listed)).toBe(name);
});

test.each(["", "a".repeat(129), "g\u0435t", "a\nb", " a", "a  b", "a\u200bb", "\u{1f600}"])(
  "a tool listed as %j has no name",
  (listed) => {
    expect(nameListedTool(listed)).toBeUndefined();
  },
);

test("property: names are valid on pages and in function calls, and differ for different tools", () => {
  const listed = fc.string({
    unit: fc.constantFrom("a", "B", "_", "-", ".", "/", " ", "7"),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(listed, listed, (one, other) => {
      const [name, another] = [nameListedTool(one), nameListedTool(other)];
      if (name === undefined || another === undefined) return;
      expect(name).toMatch(/^(?=.{1,64}$)[A-Za-z_]\w*(?:-\w+)*$/);
      expect(name === another).toBe(one === other);
    }),
  );
});
