import type { Words } from "../../../../lang/tree/index.ts";
import type { Service } from "../../../phases/bind/index.ts";

/** A scope that exceeds the service's own reach, and the exceeding part. */
interface Beyond {
  readonly scope: Words;
  readonly has: readonly string[];
}

/**
 * Returns the scopes for a service that its own grants do not cover. A service whose grants have no scopes of that kind, folders or
 * addresses, is not limited by them.
 */
export function findScopesBeyond(asked: readonly Words[], { grants }: Service): Beyond[] {
  const held = grants.flatMap(({ scopes }) => scopes.map(({ value }) => value));
  const roots = new Set(held.map(trimSlash));
  const folders = held.filter(isFolder);
  const addresses = held.filter((one) => !isFolder(one));
  return asked.flatMap((scope) => {
    const has = isFolder(scope.value) ? folders : addresses;
    return has.length === 0 || isInside(scope.value, roots) ? [] : [{ scope, has: has.slice(0, SHOWN) }];
  });
}

/** Maximum number of scopes in a message. */
const SHOWN = 3;

function isFolder(scope: string): boolean {
  return scope.startsWith("/");
}

function trimSlash(scope: string): string {
  return scope.replace(/\/$/, "");
}

/** Returns whether a scope is inside one of the roots, by whole segments: `/notes-old` is not inside `/notes`. */
function isInside(scope: string, roots: ReadonlySet<string>): boolean {
  const inner = trimSlash(scope);
  if (roots.has(inner)) return true;
  for (let end = inner.indexOf("/"); end >= 0; end = inner.indexOf("/", end + 1)) {
    if (roots.has(inner.slice(0, end))) return true;
  }
  return false;
}
