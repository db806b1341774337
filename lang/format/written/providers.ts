import type {
  BackendAttribute,
  BackendEngine,
  BackendNode,
  Fact,
  MethodNode,
  ModelAttribute,
  ServiceAttribute,
} from "../../tree/index.ts";
import { renderQuota } from "../lines.ts";
import { renderLabel, renderName, renderNumeral, renderReference } from "../text.ts";
import { renderDocumented, renderOptional, renderQuantity, renderRange, renderRow, renderWords } from "./pieces.ts";

// Renders elements of interfaces, models, backends and services.

export function renderMethod({ name, doc, category, facts }: MethodNode): string {
  return renderDocumented(
    doc,
    [`method ${renderName(name)} : ${renderName(category)}`, ...facts.map(renderFact)].join(" "),
  );
}

function renderFact(fact: Fact): string {
  switch (fact.kind) {
    case "argument": {
      const { meaning } = fact;
      const currency = meaning.kind === "money" ? ` ${renderName(meaning.currency)}` : "";
      return `arg ${renderReference(fact.argument)} is ${meaning.kind}${currency}`;
    }
    case "returns":
      return `returns ${renderRange(fact.low, fact.high)}`;
    case "sends":
      return `sends ${renderLabel(fact.label)}`;
    case "redact":
      return `redact ${fact.fields.map(renderWords).join(", ")}`;
    case "truncate":
      return `truncate ${renderQuantity(fact.size)}`;
    case "says":
      return `says ${renderWords(fact.words)}`;
  }
}

export function renderModelAttribute(attribute: ModelAttribute): string {
  switch (attribute.kind) {
    case "weights":
      return `weights ${renderWords(attribute.path)}`;
    case "arch":
    case "quantisation":
      return `${attribute.kind} ${renderName(attribute.name)}`;
    case "context":
    case "accept":
      return `${attribute.kind} ${renderQuantity(attribute.size)}`;
    case "served":
      return `served ${renderWords(attribute.words)}`;
    case "price":
      return `price ${attribute.amounts.map(renderQuantity).join(", ")}`;
    case "tools":
      return `tools ${attribute.supported.value}`;
  }
}

export function renderBackend({ name, doc, engine, attributes }: BackendNode): string {
  const parts = [...(engine === undefined ? [] : [renderEngine(engine)]), ...attributes.map(renderBackendAttribute)];
  return renderDocumented(doc, `backend ${renderName(name)} ${renderRow(parts)}`);
}

function renderEngine(engine: BackendEngine): string {
  switch (engine.kind) {
    case "cpu":
    case "gpu":
      return engine.kind;
    case "stub":
      return engine.replies === undefined ? "stub" : `stub ${renderWords(engine.replies)}`;
    case "remote":
    case "browser":
      return `${engine.kind} ${renderName(engine.provider)} ${renderWords(engine.address)}`;
  }
}

function renderBackendAttribute(attribute: BackendAttribute): string {
  switch (attribute.kind) {
    case "model":
    case "embedder":
      return `${attribute.kind} ${renderName(attribute.name)}`;
    case "threads":
      return `threads ${renderNumeral(attribute.count)}`;
    case "memory":
      return `memory ${renderQuantity(attribute.size)}`;
    case "clearance":
      return `clearance ${renderLabel(attribute.label)}`;
    case "token":
      return `token ${renderReference(attribute.secret)}`;
    case "log":
      return "log required";
    case "quota":
      return `quota ${renderRow(attribute.entries.map(renderQuota))}`;
  }
}

export function renderServiceAttribute(attribute: ServiceAttribute): string {
  switch (attribute.kind) {
    case "exec":
      return `exec ${renderWords(attribute.path)}`;
    case "state":
      return `state ${renderQuantity(attribute.size)}`;
    case "label":
      return `label ${renderRange(attribute.low, attribute.high)}`;
    case "strong":
      return `strong ${attribute.fields.map(renderReference).join(", ")}`;
    case "grant": {
      const scopes = attribute.scopes.length === 0 ? undefined : attribute.scopes.map(renderWords).join(", ");
      return `grant ${renderReference(attribute.to)}${renderOptional("scope", scopes)}`;
    }
  }
}
