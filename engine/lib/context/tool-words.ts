import type { PermissionMode, ToolDescriptor } from "../wire/generated/capos.ts";

/**
 * Sentence that a tool's description gets, by the tool's mode. The mode is the strictest that the tool can run behind,
 * so the sentences for `consent` and `stepUp` say that a person may be asked.
 */
const MODES: Readonly<Record<PermissionMode, string>> = {
  auto: "",
  consent: "A person may be asked before it runs.",
  stepUp: "A person may have to prove that they are present before it runs.",
  forbidden: "It never runs and is listed only so that you can say so: do not call it.",
};

/** Returns a tool's description with one sentence about its mode; a tool that runs without a question has no such sentence. */
export function describeTool({ description, permission }: ToolDescriptor): string {
  // A server's description may end without a full stop, so the sentence is on a line of its own.
  return [description, MODES[permission]].filter((part) => part !== "").join("\n");
}
