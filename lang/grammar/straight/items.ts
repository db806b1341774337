import type { Item, SystemNode, UseNode } from "../../tree/index.ts";
import type { Kind } from "../vocabulary.ts";
import type { Cursor } from "./cursor.ts";
import { parseCategory, parseCompartments, parseInterface, parseLevels } from "./interfaces.ts";
import { parseBlock } from "./names.ts";
import { parseBackend, parseModel, parsePrincipal, parseService } from "./providers.ts";
import { parseRehearsal } from "./rehearsals.ts";
import { parseSession, parseTask, parseWorker } from "./sessions.ts";
import {
  parseAssertion,
  parseAudit,
  parseIngress,
  parseLet,
  parseRedaction,
  parseRelease,
  parseSettings,
  parseWaive,
} from "./statements.ts";

// Parses a whole page: a file is a list of items, and a system is an item that contains items.

const ITEMS: { readonly [First in Kind]?: (at: Cursor) => Item } = {
  system: parseSystem,
  use: parseUse,
  confidentiality: parseLevels,
  integrity: parseLevels,
  compartments: parseCompartments,
  let: parseLet,
  category: parseCategory,
  interface: parseInterface,
  principal: parsePrincipal,
  model: parseModel,
  backend: parseBackend,
  service: parseService,
  abstract: parseSession,
  session: parseSession,
  task: parseTask,
  worker: parseWorker,
  ingress: parseIngress,
  redact: parseRedaction,
  declassify: parseRelease,
  endorse: parseRelease,
  waive: parseWaive,
  assert: parseAssertion,
  test: parseRehearsal,
  storage: parseSettings,
  network: parseSettings,
  image: parseSettings,
  audit: parseAudit,
};

export function parseItem(at: Cursor): Item {
  const read = ITEMS[at.kind];
  return read === undefined ? at.refuse() : read(at);
}

function parseSystem(at: Cursor): SystemNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("system");
  const name = at.takeName();
  const version = at.tryTake("version") ? at.takeWords() : undefined;
  const items = parseBlock(at, parseItem);
  return { kind: "system", name, doc, version, items, damaged: false, span: at.closeSpan(start) };
}

function parseUse(at: Cursor): UseNode {
  const start = at.start();
  at.takeDoc();
  at.take("use");
  const { kind: what } = at;
  if (what === "String") return { kind: "use", what: "file", path: at.takeWords(), span: at.closeSpan(start) };
  if ((what === "capnp" || what === "mcp") && at.peekSecond() === "String") {
    at.step();
    const path = at.takeWords();
    at.take("as");
    return { kind: "use", what, path, alias: at.takeName(), span: path.span };
  }
  const root = at.takeName();
  at.take(".");
  return { kind: "use", what: "module", root, module: at.takeName(), span: at.closeSpan(start) };
}
