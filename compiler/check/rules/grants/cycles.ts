import type { Span } from "../../../../lang/text/index.ts";
import type { BoundGrant, Service } from "../../../bind/index.ts";

export interface Cycle {
  /** The first again at the end. */
  readonly names: readonly string[];
  /** The grant that closes it. */
  readonly closing: Span;
}

interface Visit {
  readonly name: string;
  readonly grants: Iterator<BoundGrant>;
}

/** Circles of services that hold each other, each found once. Without recursion: a page may chain thousands of them. */
export function cyclesIn(services: ReadonlyMap<string, Service>): Cycle[] {
  const cycles: Cycle[] = [];
  const done = new Set<string>();
  for (const start of services.keys()) {
    const path: Visit[] = done.has(start) ? [] : [visit(services, start)];
    while (path.length > 0) {
      const { name, grants } = path[path.length - 1] ?? visit(services, start);
      const next = grants.next();
      if (next.done === true) {
        done.add(name);
        path.pop();
        continue;
      }
      const { to, node } = next.value;
      const index = path.findIndex((visited) => visited.name === to.name);
      if (index >= 0)
        cycles.push({ names: [...path.slice(index).map((one) => one.name), to.name], closing: node.to.span });
      else if (to.kind === "service" && !done.has(to.name)) path.push(visit(services, to.name));
    }
  }
  return cycles;
}

function visit(services: ReadonlyMap<string, Service>, name: string): Visit {
  return { name, grants: (services.get(name)?.grants ?? []).values() };
}
