// Floors that hold for every page: what is confirmed by somebody even where the page would let it run.

import { basename } from "node:path";
import { isUnder, parsePathSegments } from "../../lib/policy/index.ts";
import type { Action } from "./plan.ts";

/** Confirmed even where nothing calls them dangerous. */
const DANGEROUS = ["rm"];

export type EffectfulAction = Exclude<Action, { readonly type: "ping" }>;

/** Why an action is confirmed whatever the page says; nothing where the page alone has the say. */
export function findFloor(action: EffectfulAction, folder: string): string | undefined {
  if (action.danger !== undefined && action.danger !== "") return "it says itself that it is dangerous";
  if (action.type !== "exec") return findPathFloor(action.path);
  const name = basename(action.argv[0]);
  if (DANGEROUS.includes(name)) return `${name} is confirmed each time`;
  // A loader or an interpreter takes other programs from it, and the page sees words alone.
  if (Object.keys(action.env).length > 0) return "the page does not decide about an environment";
  return action.cwd === undefined || action.cwd === folder ? undefined : findPathFloor(action.cwd);
}

function findPathFloor(path: string): string | undefined {
  const segments = parsePathSegments(path);
  if (segments === undefined) return "the path holds ..";
  const isElsewhere = path.startsWith("/") && !(isUnder(segments, ["tmp"]) && segments.length > 1);
  return isElsewhere ? "an absolute path outside of /tmp/" : undefined;
}
