// Checks a call of a tool against the servers of its provider's grant, as the policy tables state them.

import { isRecord, readJson } from "../policy/index.ts";
import { type Result, refuse } from "../result/result.ts";
import type { Tool } from "../wire/generated/policy.ts";
import { Fetch } from "../wire/generated/tools.ts";
import { resolveServerTarget, resolveUrlTarget, type Target } from "./place.ts";

type Reaching = Pick<Tool, "name" | "interfaceId" | "methodName" | "servers" | "methodDenied">;

/**
 * Returns the server and the path that a call requests; fails if the page's grant does not cover the call. Returns
 * `undefined` for tools that send no requests over HTTP. `args` are the arguments as JSON.
 */
export function resolveToolTarget(tool: Reaching, args: string): Result<Target> | undefined {
  if (tool.servers.length === 0) return undefined;
  if (tool.methodDenied) return refuse(`the page's grant does not cover the method ${tool.methodName.toUpperCase()}`);
  const read = readJson(args);
  const named = read.ok && isRecord(read.value) ? read.value : {};
  const endpoint = { places: tool.servers };
  const isUrl = tool.interfaceId === Fetch.id;
  const text = isUrl ? named["url"] : named["path"];
  if (typeof text !== "string") return refuse(`${tool.name} has no ${isUrl ? "url" : "path"}`);
  return isUrl ? resolveUrlTarget(endpoint, text) : resolveServerTarget(endpoint, text);
}
