import type {
  BackendAttribute,
  BackendEngine,
  BackendNode,
  Fact,
  MethodNode,
  ModelAttribute,
  ServiceAttribute,
} from "../../tree/index.ts";
import { quotaText } from "../lines.ts";
import { labelText, nameText, numeralText, referenceText } from "../text.ts";
import { documented, optional, quantityText, rangeText, row, wordsText } from "./pieces.ts";

// What stands in interfaces, models, backends and services.

export function methodText({ name, doc, category, facts }: MethodNode): string {
  return documented(doc, [`method ${nameText(name)} : ${nameText(category)}`, ...facts.map(factText)].join(" "));
}

function factText(fact: Fact): string {
  switch (fact.kind) {
    case "argument": {
      const { meaning } = fact;
      const currency = meaning.kind === "money" ? ` ${nameText(meaning.currency)}` : "";
      return `arg ${referenceText(fact.argument)} is ${meaning.kind}${currency}`;
    }
    case "returns":
      return `returns ${rangeText(fact.low, fact.high)}`;
    case "sends":
      return `sends ${labelText(fact.label)}`;
    case "redact":
      return `redact ${fact.fields.map(wordsText).join(", ")}`;
    case "truncate":
      return `truncate ${quantityText(fact.size)}`;
  }
}

export function modelAttributeText(attribute: ModelAttribute): string {
  switch (attribute.kind) {
    case "weights":
      return `weights ${wordsText(attribute.path)}`;
    case "arch":
    case "quantisation":
      return `${attribute.kind} ${nameText(attribute.name)}`;
    case "context":
    case "accept":
      return `${attribute.kind} ${quantityText(attribute.size)}`;
    case "served":
      return `served ${wordsText(attribute.words)}`;
    case "price":
      return `price ${attribute.amounts.map(quantityText).join(", ")}`;
    case "tools":
      return `tools ${attribute.supported.value}`;
  }
}

export function backendText({ name, doc, engine, attributes }: BackendNode): string {
  const parts = [...(engine === undefined ? [] : [engineText(engine)]), ...attributes.map(backendAttributeText)];
  return documented(doc, `backend ${nameText(name)} ${row(parts)}`);
}

function engineText(engine: BackendEngine): string {
  switch (engine.kind) {
    case "cpu":
    case "gpu":
      return engine.kind;
    case "stub":
      return engine.replies === undefined ? "stub" : `stub ${wordsText(engine.replies)}`;
    case "remote":
    case "browser":
      return `${engine.kind} ${nameText(engine.provider)} ${wordsText(engine.address)}`;
  }
}

function backendAttributeText(attribute: BackendAttribute): string {
  switch (attribute.kind) {
    case "model":
    case "embedder":
      return `${attribute.kind} ${nameText(attribute.name)}`;
    case "threads":
      return `threads ${numeralText(attribute.count)}`;
    case "memory":
      return `memory ${quantityText(attribute.size)}`;
    case "clearance":
      return `clearance ${labelText(attribute.label)}`;
    case "token":
      return `token ${referenceText(attribute.secret)}`;
    case "log":
      return "log required";
    case "quota":
      return `quota ${row(attribute.entries.map(quotaText))}`;
  }
}

export function serviceAttributeText(attribute: ServiceAttribute): string {
  switch (attribute.kind) {
    case "exec":
      return `exec ${wordsText(attribute.path)}`;
    case "state":
      return `state ${quantityText(attribute.size)}`;
    case "label":
      return `label ${rangeText(attribute.low, attribute.high)}`;
    case "grant": {
      const scopes = attribute.scopes.length === 0 ? undefined : attribute.scopes.map(wordsText).join(", ");
      return `grant ${referenceText(attribute.to)}${optional("scope", scopes)}`;
    }
  }
}
