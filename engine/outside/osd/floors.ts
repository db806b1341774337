// Lists actions that need a confirmation on every page, even if the page allows them.

import { basename } from "node:path";
import { isUnder, parsePathSegments } from "../../lib/policy/index.ts";
import type { Action } from "./plan.ts";

/** Programs that need a confirmation even if the plan does not call them dangerous. */
const DANGEROUS = ["rm"];

export type EffectfulAction = Exclude<Action, { readonly type: "ping" }>;

/** Returns why an action needs a confirmation whatever the page says, or `undefined` if only the page decides. */
export function findFloor(action: EffectfulAction, folder: string): string | undefined {
  if (action.danger !== undefined && action.danger !== "") return "it says itself that it is dangerous";
  if (action.type !== "exec") return findPathFloor(action.path);
  const name = basename(action.argv[0]);
  if (DANGEROUS.includes(name)) return `${name} is confirmed each time`;
  // An environment may make a loader or an interpreter load other programs, and the page decides only about arguments.
  if (Object.keys(action.env).length > 0) return "the page does not decide about an environment";
  return action.cwd === undefined || action.cwd === folder ? undefined : findPathFloor(action.cwd);
}

function findPathFloor(path: string): string | undefined {
  const segments = parsePathSegments(path);
  if (segments === undefined) return "the path holds ..";
  const isElsewhere = path.startsWith("/") && !(isUnder(segments, ["tmp"]) && segments.length > 1);
  return isElsewhere ? "an absolute path outside of /tmp/" : undefined;
}
