import type { Span } from "../../../../lang/text/index.ts";
import type { BoundGrant, Service } from "../../../phases/bind/index.ts";

interface Cycle {
  /** Names of the services in the cycle; the first name is repeated at the end. */
  readonly names: readonly string[];
  /** Position of the last grant of the cycle. */
  readonly closing: Span;
}

interface Visit {
  readonly name: string;
  readonly grants: Iterator<BoundGrant>;
}

/**
 * Returns the cycles of services that have grants of each other, each once. The function does not recurse, because a
 * page may have a chain of thousands of services.
 */
export function findCycles(services: ReadonlyMap<string, Service>): Cycle[] {
  const cycles: Cycle[] = [];
  const done = new Set<string>();
  for (const start of services.keys()) if (!done.has(start)) follow(services, start, done, cycles);
  return cycles;
}

/**
 * Visits all services that can be reached from one service. Services that were visited before cannot lead to a new
 * cycle.
 */
function follow(services: ReadonlyMap<string, Service>, start: string, done: Set<string>, cycles: Cycle[]): void {
  const path: Visit[] = [visit(services, start)];
  const depths = new Map([[start, 0]]);
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const next = last.grants.next();
    if (next.done === true) {
      done.add(last.name);
      depths.delete(last.name);
      path.pop();
      continue;
    }
    const { to, node } = next.value;
    // A grant may lead to a session, even to one with the name of a service. Such a grant cannot close a cycle, because
    // a session has no grants itself.
    if (to.kind === "session") continue;
    const depth = depths.get(to.name);
    if (depth !== undefined) {
      cycles.push({ names: [...path.slice(depth).map(({ name }) => name), to.name], closing: node.to.span });
    } else if (!done.has(to.name)) {
      depths.set(to.name, path.length);
      path.push(visit(services, to.name));
    }
  }
}

function visit(services: ReadonlyMap<string, Service>, name: string): Visit {
  return { name, grants: (services.get(name)?.grants ?? []).values() };
}
