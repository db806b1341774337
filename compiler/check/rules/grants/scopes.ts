import type { Words } from "../../../../lang/tree/index.ts";
import type { Service } from "../../../bind/index.ts";

/** A scope that goes beyond what the service itself may reach, and what that is. */
export interface Beyond {
  readonly scope: Words;
  readonly has: readonly string[];
}

/**
 * Of what is asked of a service, the scopes that its own grants do not cover. A service whose grants have no scopes of
 * that kind, folders or addresses, is not limited by them.
 */
export function scopesBeyond(asked: readonly Words[], { grants }: Service): Beyond[] {
  const held = grants.flatMap(({ scopes }) => scopes.map(({ value }) => value));
  return asked.flatMap((scope) => {
    const has = held.filter((one) => isFolder(one) === isFolder(scope.value));
    return has.length === 0 || has.some((one) => isInside(scope.value, one)) ? [] : [{ scope, has }];
  });
}

function isFolder(scope: string): boolean {
  return scope.startsWith("/");
}

/** By whole segments: `/notes-old` is not inside of `/notes`. */
function isInside(inner: string, outer: string): boolean {
  const root = outer.replace(/\/$/, "");
  return inner === outer || inner === root || inner.startsWith(`${root}/`);
}
