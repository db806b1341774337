import type { PermissionMode, ToolDescriptor } from "../wire/generated/capos.ts";

/**
 * Sentence about each advertised mode. The advertised mode is the strictest one with which the tool can run, so for
 * `consent` and `stepUp` the sentence says "may".
 */
const MODES: Readonly<Record<PermissionMode, string>> = {
  auto: "",
  consent: "A person may be asked before it runs.",
  stepUp: "A person may have to prove that they are present before it runs.",
  forbidden: "It never runs and is listed only so that you can say so: do not call it.",
};

/** Returns a tool's description, followed by one sentence about its mode. For a tool with mode `auto`, there is no sentence. */
export function describeTool({ description, permission }: ToolDescriptor): string {
  // The sentence is on its own line, because a server's description may end without a full stop.
  return [description, MODES[permission]].filter((part) => part !== "").join("\n");
}
