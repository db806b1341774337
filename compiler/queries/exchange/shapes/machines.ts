// Defines how YAML and JSON represent the parts of a machine: models, backends, services, people, disk, network and
// image.

import type {
  AuditLine,
  AuditNode,
  BackendAttribute,
  BackendEngine,
  BackendNode,
  ModelAttribute,
  ModelNode,
  PrincipalNode,
  Proof,
  ServiceAttribute,
  ServiceNode,
  Setting,
  SettingsNode,
  SettingValue,
} from "../../../../lang/tree/index.ts";
import { either, record } from "../record.ts";
import { listOf, oneOf, optional, type Shape } from "../shape.ts";
import { doc, label, markedTruth, name, numeral, quantity, reference, words } from "./names.ts";
import { quota } from "./narrowing.ts";

export const principal: Shape<PrincipalNode> = record({
  kind: oneOf("principal"),
  name,
  doc,
  proofs: listOf(record<Proof>({ kind: oneOf("ssh", "passkey", "passphrase"), value: words })),
});

const named: Shape<Extract<ModelAttribute, { name: unknown }>> = record({ kind: oneOf("arch", "quantisation"), name });
const sized: Shape<Extract<ModelAttribute, { size: unknown }>> = record({
  kind: oneOf("context", "accept"),
  size: quantity,
});

export const model: Shape<ModelNode> = record({
  kind: oneOf("model"),
  name,
  doc,
  attributes: listOf(
    either<ModelAttribute, "kind">("kind", {
      weights: record({ kind: oneOf("weights"), path: words }),
      arch: named,
      quantisation: named,
      context: sized,
      accept: sized,
      served: record({ kind: oneOf("served"), words }),
      price: record({ kind: oneOf("price"), amounts: listOf(quantity) }),
      tools: record({ kind: oneOf("tools"), supported: markedTruth }),
    }),
  ),
});

const local: Shape<Extract<BackendEngine, { kind: "cpu" | "gpu" }>> = record({ kind: oneOf("cpu", "gpu") });
const distant: Shape<Extract<BackendEngine, { address: unknown }>> = record({
  kind: oneOf("remote", "browser"),
  provider: name,
  address: words,
});

const engine: Shape<BackendEngine> = either<BackendEngine, "kind">("kind", {
  cpu: local,
  gpu: local,
  stub: record({ kind: oneOf("stub"), replies: optional(words) }),
  remote: distant,
  browser: distant,
});

const uses: Shape<Extract<BackendAttribute, { name: unknown }>> = record({ kind: oneOf("model", "embedder"), name });

export const backend: Shape<BackendNode> = record({
  kind: oneOf("backend"),
  name,
  doc,
  engine: optional(engine),
  attributes: listOf(
    either<BackendAttribute, "kind">("kind", {
      model: uses,
      embedder: uses,
      threads: record({ kind: oneOf("threads"), count: numeral }),
      memory: record({ kind: oneOf("memory"), size: quantity }),
      clearance: record({ kind: oneOf("clearance"), label }),
      token: record({ kind: oneOf("token"), secret: reference }),
      log: record({ kind: oneOf("log") }),
      quota,
    }),
  ),
});

export const service: Shape<ServiceNode> = record({
  kind: oneOf("service"),
  name,
  doc,
  interface: reference,
  attributes: listOf(
    either<ServiceAttribute, "kind">("kind", {
      exec: record({ kind: oneOf("exec"), path: words }),
      state: record({ kind: oneOf("state"), size: quantity }),
      label: record({ kind: oneOf("label"), low: label, high: label }),
      strong: record({ kind: oneOf("strong"), fields: listOf(reference) }),
      grant: record({ kind: oneOf("grant"), to: reference, scopes: listOf(words) }),
    }),
  ),
});

const value: Shape<SettingValue> = either<SettingValue, "kind">("kind", {
  name: record({ kind: oneOf("name"), value: name }),
  text: record({ kind: oneOf("text"), value: words }),
  quantity: record({ kind: oneOf("quantity"), value: quantity }),
});

export const settings: Shape<SettingsNode> = record({
  kind: oneOf("storage", "network", "image"),
  settings: listOf(record<Setting>({ name, values: listOf(value) })),
});

export const audit: Shape<AuditNode> = record({
  kind: oneOf("audit"),
  lines: listOf(
    either<AuditLine, "kind">("kind", {
      digests: record({ kind: oneOf("digests"), above: label }),
      keep: record({ kind: oneOf("keep"), until: oneOf("exported", "shipped") }),
    }),
  ),
});
