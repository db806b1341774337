import type { Item, SystemNode, UseNode } from "../../../../lang/tree/index.ts";
import { either, record } from "../record.ts";
import { listOf, named, oneOf, optional, type Shape } from "../shape.ts";
import { assertion, ingress, redaction, rehearsal, release, waive } from "./claims.ts";
import { category, compartments, interfaces, levels } from "./interfaces.ts";
import { namedSet } from "./lines.ts";
import { audit, backend, model, principal, service, settings } from "./machines.ts";
import { doc, name, words } from "./names.ts";
import { session, task, worker } from "./sessions.ts";

const imported: Shape<Extract<UseNode, { alias: unknown }>> = record({
  kind: oneOf("use"),
  what: oneOf("capnp", "mcp"),
  path: words,
  alias: name,
});

const use: Shape<UseNode> = either<UseNode, "what">("what", {
  file: record({ kind: oneOf("use"), what: oneOf("file"), path: words }),
  module: record({ kind: oneOf("use"), what: oneOf("module"), root: name, module: name }),
  capnp: imported,
  mcp: imported,
});

const items = listOf(named("item", () => item));

const system: Shape<SystemNode> = record({ kind: oneOf("system"), name, doc, version: optional(words), items });

export const item: Shape<Item> = either<Item, "kind">("kind", {
  system,
  use,
  levels,
  compartments,
  let: namedSet,
  category,
  interface: interfaces,
  principal,
  model,
  backend,
  service,
  session,
  task,
  worker,
  ingress,
  redaction,
  release,
  waive,
  assert: assertion,
  test: rehearsal,
  storage: settings,
  network: settings,
  image: settings,
  audit,
});

interface Page {
  /** The version of the format. The number increases if capc can no longer read earlier files. */
  readonly form: "capc-page-1";
  readonly items: readonly Item[];
}

export const page: Shape<Page> = record<Page>({ form: oneOf("capc-page-1"), items });
