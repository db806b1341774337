import type { Span } from "../../../../lang/text/index.ts";
import type { InterfaceNode, Reference, ServiceAttribute, ServiceNode, Words } from "../../../../lang/tree/index.ts";
import type { Hints } from "../../reflect/index.ts";

export type { Hints };

import type { Asset } from "../../source/index.ts";
import type { CallableMethod, InterfaceDescription } from "../described.ts";
import type { BoundLabel, BoundRange } from "./lattice.ts";

export interface Category {
  readonly name: string;
  readonly parent: Category | undefined;
  readonly doc: string;
  readonly span: Span;
}

export interface Interface {
  /** For example `Files`. The interface of an import has the page's name for the import in front: `ledger.Ledger`. */
  readonly name: string;
  /** The page's name for the import that defines the interface. */
  readonly alias?: string;
  /** Hints about tools from the server of an imported tool list, by method. They do not influence decisions. */
  readonly hints?: ReadonlyMap<string, Hints>;
  readonly description: InterfaceDescription;
  readonly methods: ReadonlyMap<string, Method>;
  readonly node: InterfaceNode;
}

/** A method of an interface, with its category, its labels and the meanings of its arguments. */
export interface Method {
  readonly name: string;
  readonly description: CallableMethod;
  readonly category: Category;
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly returns: BoundRange | undefined;
  readonly sends: BoundLabel | undefined;
  readonly redact: readonly string[];
  readonly truncateBytes: number;
  /** Description that models and people see, from the page or else from the schema. */
  readonly words: string;
}

export type Meaning =
  | { readonly kind: "path" | "url" | "text" | "program" }
  | { readonly kind: "money"; readonly currency: string };

export interface Service {
  readonly name: string;
  readonly interface: Interface;
  readonly label: BoundRange | undefined;
  readonly stateBytes: bigint;
  /** Program of the package for the service, if the page has `exec` and the file could be read. */
  readonly exec: { readonly path: Words; readonly asset: Asset | undefined } | undefined;
  /** Program of the standard library for the service, if the page has no `exec` and the library has one. */
  readonly standard: Asset | undefined;
  readonly grants: readonly BoundGrant[];
  /** Fields of results that only their owner fills, such as `find.rows.address`. */
  readonly strong: readonly StrongField[];
  /** Ruling 11: whether the service can reach the network, by its own grant or through a service that it may use. */
  readonly networked: boolean;
  readonly node: ServiceNode;
}

/** A field of the results of one method. */
export interface StrongField {
  readonly method: string;
  /** Path of the field; empty if the result is a text. */
  readonly field: string;
  readonly node: Reference;
}

/**
 * Grant of a service. Its target is another service, an interface that the system serves, or a source of upstream's kernel. Only a service
 * for action plans is granted a session, whose gate it uses.
 */
export interface BoundGrant {
  /** Target of the grant. Names of kernel sources start with `kernel.`, which is not allowed in names of services. */
  readonly to: { readonly kind: "service" | "interface" | "kernel" | "session"; readonly name: string };
  readonly scopes: readonly Words[];
  readonly node: Extract<ServiceAttribute, { readonly kind: "grant" }>;
}

/** Method of a service. Models call it as a tool, and the policy decides about each call. */
export interface Tool {
  readonly name: string;
  readonly service: Service;
  readonly method: Method;
}
