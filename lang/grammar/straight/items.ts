import type { Item, SystemNode, UseNode } from "../../tree/index.ts";
import type { Kind } from "../vocabulary.ts";
import type { Cursor } from "./cursor.ts";
import { category, compartments, interfaceOf, levels } from "./interfaces.ts";
import { block } from "./names.ts";
import { backend, model, principal, service } from "./providers.ts";
import { rehearsal } from "./rehearsals.ts";
import { session, task, worker } from "./sessions.ts";
import { assertion, ingress, release, settings, waive } from "./statements.ts";

// The top of a page: a file is a list of items, and a system is an item that holds items.

const ITEMS: { readonly [First in Kind]?: (at: Cursor) => Item } = {
  system,
  use,
  confidentiality: levels,
  integrity: levels,
  compartments,
  category,
  interface: interfaceOf,
  principal,
  model,
  backend,
  service,
  abstract: session,
  session,
  task,
  worker,
  ingress,
  declassify: release,
  endorse: release,
  waive,
  assert: assertion,
  test: rehearsal,
  storage: settings,
  network: settings,
  image: settings,
};

export function item(at: Cursor): Item {
  const read = ITEMS[at.kind];
  return read === undefined ? at.refuse() : read(at);
}

function system(at: Cursor): SystemNode {
  const start = at.start();
  const doc = at.doc();
  at.take("system");
  const name = at.name();
  const version = at.takes("version") ? at.words() : undefined;
  const items = block(at, item);
  return { kind: "system", name, doc, version, items, damaged: false, span: at.since(start) };
}

function use(at: Cursor): UseNode {
  const start = at.start();
  at.doc();
  at.take("use");
  const { kind: what } = at;
  if (what === "String") return { kind: "use", what: "file", path: at.words(), span: at.since(start) };
  if ((what === "capnp" || what === "mcp") && at.second() === "String") {
    at.step();
    const path = at.words();
    at.take("as");
    return { kind: "use", what, path, alias: at.name(), span: path.span };
  }
  const root = at.name();
  at.take(".");
  return { kind: "use", what: "module", root, module: at.name(), span: at.since(start) };
}
