import type { Words } from "../../../../lang/tree/index.ts";
import type { Service } from "../../../phases/bind/index.ts";

/** A scope that exceeds the rights of the granted service, and the scopes that this service has. */
interface Beyond {
  readonly scope: Words;
  readonly has: readonly string[];
}

/**
 * Returns the scopes of a grant that the granted service's own grants do not cover. A scope is a folder or an address.
 * If the granted service's own grants have no scope of the same kind, the service has no limit of this kind.
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
