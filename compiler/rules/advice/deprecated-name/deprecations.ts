import type { Model } from "../../../phases/bind/index.ts";

/** Deprecated names, each with the name that replaces it. */
export interface Deprecations {
  readonly categories: ReadonlyMap<string, string>;
  readonly interfaces: ReadonlyMap<string, string>;
  /** Methods as a line names them, such as `Files.wipe` or `notes.wipe`. */
  readonly methods: ReadonlyMap<string, string>;
  readonly sessions: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
}

const DEPRECATED = /^Deprecated: use `([^`]+)`/m;

/**
 * Returns the deprecations that doc comments state, in lines that begin with "Deprecated: use `NAME`". The lines are
 * sentences, because people read doc comments too.
 */
export function readDeprecations({ categories, interfaces, services, sessions }: Model): Deprecations {
  const servicesOf = Map.groupBy(services, (service) => service.interface);
  const found = {
    categories: readReplacements(categories.map(({ name, doc }) => [name, doc])),
    interfaces: readReplacements(interfaces.map(({ node }) => [node.name.text, node.doc])),
    methods: readReplacements(
      interfaces.flatMap((face) => {
        const owners = [face.node.name.text, ...(servicesOf.get(face) ?? []).map(({ name }) => name)];
        return face.node.methods
          .filter(({ doc }) => DEPRECATED.test(doc))
          .flatMap(({ name, doc }) => owners.map((owner) => [`${owner}.${name.text}`, doc] as const));
      }),
    ),
    sessions: readReplacements(sessions.map(({ id, node }) => [id, node.doc])),
  };
  return { ...found, isEmpty: Object.values(found).every(({ size }) => size === 0) };
}

function readReplacements(named: readonly (readonly [name: string, doc: string])[]): Map<string, string> {
  return new Map(
    named.flatMap(([name, doc]) => {
      const instead = DEPRECATED.exec(doc)?.[1];
      return instead === undefined ? [] : [[name, instead] as const];
    }),
  );
}
