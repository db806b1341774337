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
  /** Name on the page, such as `Files`. The name of an imported interface begins with the name of the import: `ledger.Ledger`. */
  readonly name: string;
  /** Name that the page gives to the import with this interface. */
  readonly alias?: string;
  /** Hints of an MCP server about its tools, by method. No decision depends on these hints. */
  readonly hints?: ReadonlyMap<string, Hints>;
  readonly description: InterfaceDescription;
  readonly methods: ReadonlyMap<string, Method>;
  readonly node: InterfaceNode;
}

/** A method of an interface, with the facts that the page or the schema states about it. */
export interface Method {
  readonly name: string;
  readonly description: CallableMethod;
  readonly category: Category;
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly returns: BoundRange | undefined;
  readonly sends: BoundLabel | undefined;
  readonly redact: readonly string[];
  readonly truncateBytes: number;
  /** Description that models and people see: the text of the page, or otherwise the text of the schema. */
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
  /** Strong fields: fields of results that only their owner can fill, such as `find.rows.address`. */
  readonly strong: readonly StrongField[];
  /** Ruling 11: whether the service may reach the network, by its own grant or through a service that it may use. */
  readonly networked: boolean;
  readonly node: ServiceNode;
}

/** A field of the results of one method. */
export interface StrongField {
  readonly method: string;
  /** Path of the field in the result; empty if the result is a text. */
  readonly field: string;
  readonly node: Reference;
}

/**
 * Grant of a service: the right to use the target. The target is another service, an interface that the system serves,
 * or a capability that upstream's kernel provides (a kernel source). The target of an `ActionPlans` service is the gate
 * of the session for which the service works.
 */
export interface BoundGrant {
  /**
   * Target of the grant. The name of a capability of upstream's kernel starts with `kernel.`, but no name of a service
   * does.
   */
  readonly to: { readonly kind: "service" | "interface" | "kernel" | "session"; readonly name: string };
  readonly scopes: readonly Words[];
  readonly node: Extract<ServiceAttribute, { readonly kind: "grant" }>;
}

/**
 * A method of a service, as a tool for models. Each row of the tables has a cell that decides about calls of the tool.
 */
export interface Tool {
  readonly name: string;
  readonly service: Service;
  readonly method: Method;
}
