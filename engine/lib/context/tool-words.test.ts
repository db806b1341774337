import { expect, test } from "vitest";
import { PermissionMode, type ToolDescriptor } from "../wire/generated/capos.ts";
import { describeTool, estimatePromptTokens, renderToolText } from "./index.ts";

const tool = (permission: PermissionMode, description = "Sends a mail"): ToolDescriptor => ({
  ...{ name: "mail.send", description, interfaceId: 1n, methodName: "send", paramSchema: "{}" },
  ...{ permission, category: "" },
});

test.each([
  ["auto", "Sends a mail"],
  ["consent", "Sends a mail\nA person may be asked before it runs."],
  ["stepUp", "Sends a mail\nA person may have to prove that they are present before it runs."],
  ["forbidden", "Sends a mail\nIt never runs and is listed only so that you can say so: do not call it."],
] as const)("tells the model about the mode %s in at most one sentence", (mode, words) => {
  expect(describeTool(tool(mode))).toBe(words);
});

test("a tool without a description has only the sentence about its mode", () => {
  expect(describeTool(tool("consent", ""))).toBe("A person may be asked before it runs.");
  expect(describeTool(tool("auto", ""))).toBe("");
});

test.each(PermissionMode.members)("the estimate of a prompt's tokens includes the sentence about mode %s", (mode) => {
  const one = tool(mode);
  expect(renderToolText(one)).toBe(`mail.send ${describeTool(one)} {}`);
  expect(estimatePromptTokens([], [one])).toBe(Math.ceil(renderToolText(one).length / 4));
});
