import type {
  BackendAttribute,
  BackendEngine,
  BackendNode,
  ModelAttribute,
  ModelNode,
  PrincipalNode,
  Proof,
  ServiceAttribute,
  ServiceNode,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { block, labelRange, listed, quantity, reference, truth, words } from "./names.ts";
import { quota } from "./narrowing.ts";
import { clearance } from "./sessions.ts";

// Who is there: principals, models, backends and services.

export function principal(at: Cursor): PrincipalNode {
  const start = at.start();
  const doc = at.doc();
  at.take("principal");
  const name = at.name();
  return { kind: "principal", name, doc, proofs: block(at, proof), damaged: false, span: at.since(start) };
}

function proof(at: Cursor): Proof {
  const start = at.start();
  const { kind } = at;
  if (kind !== "ssh" && kind !== "passkey" && kind !== "passphrase") return at.refuse();
  at.step();
  return { kind, value: at.words(), span: at.since(start) };
}

export function model(at: Cursor): ModelNode {
  const start = at.start();
  const doc = at.doc();
  at.take("model");
  const name = at.name();
  return { kind: "model", name, doc, attributes: block(at, modelAttribute), damaged: false, span: at.since(start) };
}

function modelAttribute(at: Cursor): ModelAttribute {
  const start = at.start();
  const { kind } = at;
  at.step();
  switch (kind) {
    case "weights":
      return { kind, path: at.words(), span: at.since(start) };
    case "arch":
    case "quantisation":
      return { kind, name: at.name(), span: at.since(start) };
    case "context":
    case "accept":
      return { kind, size: quantity(at), span: at.since(start) };
    case "served":
      return { kind, words: at.words(), span: at.since(start) };
    case "price":
      return { kind, amounts: listed(at, quantity), span: at.since(start) };
    case "tools": {
      const keyword = at.since(start);
      return { kind, supported: { value: truth(at), span: keyword }, span: at.since(start) };
    }
    default:
      return at.refuse();
  }
}

export function backend(at: Cursor): BackendNode {
  const start = at.start();
  const doc = at.doc();
  at.take("backend");
  const name = at.name();
  const attributes: BackendAttribute[] = [];
  let engine: BackendEngine | undefined;
  at.take("{");
  while (!at.takes("}")) {
    const part = engineOf(at);
    engine ??= part;
    if (part === undefined) attributes.push(backendAttribute(at));
  }
  return { kind: "backend", name, doc, engine, attributes, damaged: false, span: at.since(start) };
}

function engineOf(at: Cursor): BackendEngine | undefined {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "cpu":
    case "gpu":
      at.step();
      return { kind, span: at.since(start) };
    case "stub": {
      at.step();
      const replies = at.kind === "String" ? at.words() : undefined;
      return { kind, replies, span: at.since(start) };
    }
    case "remote":
    case "browser": {
      at.step();
      const provider = at.name();
      return { kind, provider, address: at.words(), span: at.since(start) };
    }
    default:
      return undefined;
  }
}

function backendAttribute(at: Cursor): BackendAttribute {
  const start = at.start();
  const { kind } = at;
  if (kind === "clearance") return clearance(at);
  if (kind === "quota") return quota(at);
  at.step();
  switch (kind) {
    case "model":
    case "embedder":
      return { kind, name: at.name(), span: at.since(start) };
    case "threads":
      return { kind, count: at.numeral(), span: at.since(start) };
    case "memory":
      return { kind, size: quantity(at), span: at.since(start) };
    case "token":
      return { kind, secret: reference(at), span: at.since(start) };
    case "log":
      at.take("required");
      return { kind, span: at.since(start) };
    default:
      return at.refuse();
  }
}

export function service(at: Cursor): ServiceNode {
  const start = at.start();
  const doc = at.doc();
  at.take("service");
  const name = at.name();
  at.take(":");
  const provided = reference(at);
  const attributes = block(at, serviceAttribute);
  return { kind: "service", name, doc, interface: provided, attributes, damaged: false, span: at.since(start) };
}

function serviceAttribute(at: Cursor): ServiceAttribute {
  const start = at.start();
  const { kind } = at;
  at.step();
  switch (kind) {
    case "exec":
      return { kind, path: at.words(), span: at.since(start) };
    case "state":
      return { kind, size: quantity(at), span: at.since(start) };
    case "label":
      return { kind, ...labelRange(at), span: at.since(start) };
    case "grant": {
      const to = reference(at);
      const scopes = at.takes("scope") ? listed(at, words) : [];
      return { kind, to, scopes, span: at.since(start) };
    }
    default:
      return at.refuse();
  }
}
