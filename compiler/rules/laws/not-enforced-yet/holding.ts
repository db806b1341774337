import type { BoundGrant, Model, Service } from "../../../phases/bind/index.ts";
import { indexServices, isFileStore, isPatchStore } from "../../../phases/policy/index.ts";
import { isForUpstream } from "../../../phases/policy/upstream/graph.ts";
import { isModule, isServer } from "../../../phases/source/index.ts";
import type { UnenforcedConstruct } from "./refused.ts";

/** Returns grants that the program of the service cannot use, and grants with scopes that no process would enforce. */
export function findUnkeptGrants(model: Model): UnenforcedConstruct[] {
  // On upstream's kernel, init passes all grants to programs.
  if (isForUpstream(model)) return [];
  const { services } = model;
  const named = indexServices(model);
  const unusable = services.flatMap((holder) =>
    holder.grants.flatMap((grant) => findUnkept(holder, grant, named.get(grant.to.name))),
  );
  return [...unusable, ...refuseTooManyFolders(services)];
}

function findUnkept(
  holder: Service,
  { to, scopes, node }: BoundGrant,
  held: Service | undefined,
): UnenforcedConstruct[] {
  if (to.kind !== "service" || held === undefined) return [];
  if (!canHold(holder)) {
    const instead = 'provide the service by a JavaScript module: `exec "services/NAME.js"`, or leave the grant out';
    return [{ at: node.span, what: "a grant to a service that is not a JavaScript module", instead }];
  }
  const isFolders = isFileStore(held);
  const instead = isFolders
    ? 'name a folder: `scope "/reports"`'
    : "leave the scope out, or limit the granted service itself";
  return scopes
    .filter(({ value }) => !isFolders || !isFolder(value))
    .map(({ span }) => ({ at: span, what: "this scope of a grant of another service", instead }));
}

/**
 * Returns whether the service's program can use a grant. Only one program of the standard library uses grants of other
 * services: the patch store.
 */
function canHold(holder: Service): boolean {
  const path = holder.exec?.path.value;
  return path === undefined ? isPatchStore(holder) : isModule(path) && !isServer(path);
}

/**
 * Maximum length of the text that lists the folders of one grant; `MOST_HOLDERS` is the maximum number of services with
 * such a grant. Each of these services needs one argument of the file store. An argument has at most 512 bytes, and a
 * process has space for 20 arguments besides those of its program.
 */
const MOST_WORD = 400;
const MOST_HOLDERS = 16;

/**
 * Returns the grants that do not fit into the arguments of a process. This is so if a grant has too many folders, or if
 * too many services have a grant of the same service.
 */
function refuseTooManyFolders(services: readonly Service[]): UnenforcedConstruct[] {
  const grants = services.flatMap(({ grants }) =>
    grants.filter(({ to, scopes }) => to.kind === "service" && scopes.length > 0),
  );
  const counted = new Map<string, number>();
  return grants.flatMap(({ to, scopes, node }) => {
    const before = counted.get(to.name) ?? 0;
    counted.set(to.name, before + 1);
    const length = encodeURIComponent(scopes.map(({ value }) => value.toWellFormed()).join(":")).length;
    const instead = "name a folder above them, or leave the scope out";
    if (length <= MOST_WORD && before < MOST_HOLDERS) return [];
    return [{ at: node.span, what: "a grant of so many folders", instead }];
  });
}

/**
 * Returns whether the file store accepts the scope as a folder. Colons and commas are not checked, because paths of
 * capc never contain them unencoded.
 */
function isFolder(scope: string): boolean {
  return scope.startsWith("/") && !scope.split("/").includes("..") && !scope.includes("\0") && scope.isWellFormed();
}
