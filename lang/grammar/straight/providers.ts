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
import {
  parseBlock,
  parseBoolean,
  parseLabelRange,
  parseList,
  parseQuantity,
  parseReference,
  parseWords,
} from "./names.ts";
import { parseQuota } from "./narrowing.ts";
import { parseClearance } from "./sessions.ts";

// Parses declarations of principals, models, backends and services.

export function parsePrincipal(at: Cursor): PrincipalNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("principal");
  const name = at.takeName();
  return {
    kind: "principal",
    name,
    doc,
    proofs: parseBlock(at, parseProof),
    damaged: false,
    span: at.closeSpan(start),
  };
}

function parseProof(at: Cursor): Proof {
  const start = at.start();
  const { kind } = at;
  if (kind !== "ssh" && kind !== "passkey" && kind !== "passphrase") return at.refuse();
  at.step();
  return { kind, value: at.takeWords(), span: at.closeSpan(start) };
}

export function parseModel(at: Cursor): ModelNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("model");
  const name = at.takeName();
  return {
    kind: "model",
    name,
    doc,
    attributes: parseBlock(at, parseModelAttribute),
    damaged: false,
    span: at.closeSpan(start),
  };
}

function parseModelAttribute(at: Cursor): ModelAttribute {
  const start = at.start();
  const { kind } = at;
  at.step();
  switch (kind) {
    case "weights":
      return { kind, path: at.takeWords(), span: at.closeSpan(start) };
    case "arch":
    case "quantisation":
      return { kind, name: at.takeName(), span: at.closeSpan(start) };
    case "context":
    case "accept":
      return { kind, size: parseQuantity(at), span: at.closeSpan(start) };
    case "served":
      return { kind, words: at.takeWords(), span: at.closeSpan(start) };
    case "price":
      return { kind, amounts: parseList(at, parseQuantity), span: at.closeSpan(start) };
    case "tools": {
      const keyword = at.closeSpan(start);
      return { kind, supported: { value: parseBoolean(at), span: keyword }, span: at.closeSpan(start) };
    }
    default:
      return at.refuse();
  }
}

export function parseBackend(at: Cursor): BackendNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("backend");
  const name = at.takeName();
  const attributes: BackendAttribute[] = [];
  let engine: BackendEngine | undefined;
  at.take("{");
  while (!at.tryTake("}")) {
    const part = parseEngine(at);
    engine ??= part;
    if (part === undefined) attributes.push(parseBackendAttribute(at));
  }
  return { kind: "backend", name, doc, engine, attributes, damaged: false, span: at.closeSpan(start) };
}

function parseEngine(at: Cursor): BackendEngine | undefined {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "cpu":
    case "gpu":
      at.step();
      return { kind, span: at.closeSpan(start) };
    case "stub": {
      at.step();
      const replies = at.kind === "String" ? at.takeWords() : undefined;
      return { kind, replies, span: at.closeSpan(start) };
    }
    case "remote":
    case "browser": {
      at.step();
      const provider = at.takeName();
      return { kind, provider, address: at.takeWords(), span: at.closeSpan(start) };
    }
    default:
      return undefined;
  }
}

function parseBackendAttribute(at: Cursor): BackendAttribute {
  const start = at.start();
  const { kind } = at;
  if (kind === "clearance") return parseClearance(at);
  if (kind === "quota") return parseQuota(at);
  at.step();
  switch (kind) {
    case "model":
    case "embedder":
      return { kind, name: at.takeName(), span: at.closeSpan(start) };
    case "threads":
      return { kind, count: at.takeNumeral(), span: at.closeSpan(start) };
    case "memory":
      return { kind, size: parseQuantity(at), span: at.closeSpan(start) };
    case "token":
      return { kind, secret: parseReference(at), span: at.closeSpan(start) };
    case "log":
      at.take("required");
      return { kind, span: at.closeSpan(start) };
    default:
      return at.refuse();
  }
}

export function parseService(at: Cursor): ServiceNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("service");
  const name = at.takeName();
  at.take(":");
  const provided = parseReference(at);
  const attributes = parseBlock(at, parseServiceAttribute);
  return { kind: "service", name, doc, interface: provided, attributes, damaged: false, span: at.closeSpan(start) };
}

function parseServiceAttribute(at: Cursor): ServiceAttribute {
  const start = at.start();
  const { kind } = at;
  at.step();
  switch (kind) {
    case "exec":
      return { kind, path: at.takeWords(), span: at.closeSpan(start) };
    case "state":
      return { kind, size: parseQuantity(at), span: at.closeSpan(start) };
    case "label":
      return { kind, ...parseLabelRange(at), span: at.closeSpan(start) };
    case "strong":
      return { kind, fields: parseList(at, parseReference), span: at.closeSpan(start) };
    case "grant": {
      const to = parseReference(at);
      const scopes = at.tryTake("scope") ? parseList(at, parseWords) : [];
      return { kind, to, scopes, span: at.closeSpan(start) };
    }
    default:
      return at.refuse();
  }
}
