import type { Implementation } from "../../../targets/contract/policy.ts";

/** Interfaces that something in the image answers for, and by which provider. */
export type Providers = ReadonlyMap<string, Implementation | "own">;

/** What the runtime image brings along. */
export const IMAGE_PROVIDERS: Providers = new Map([
  // `own`: a program of the standard library, run as an operator's own is.
  ["ActionPlans", "own"],
  ["Calculator", "own"],
  ["Clock", "own"],
  ["Echo", "own"],
  ["Fetch", "egress"],
  ["Files", "files"],
  ["HttpEndpoint", "egress"],
  ["Logs", "logs"],
  ["Memory", "own"],
  ["PatchSets", "own"],
  ["Scratch", "scratch"],
  ["Services", "services"],
  ["Status", "status"],
]);
