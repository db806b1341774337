import type {
  BackendAttribute,
  BackendNode,
  Item,
  ModelNode,
  PrincipalNode,
  QuotaEntry,
  ServiceNode,
  SessionNode,
  SettingsNode,
  TaskNode,
} from "../../../../lang/tree/index.ts";
import type { Refused } from "./refused.ts";

const ENGINES = 'use `stub "replies.json"`, or `cpu` with a model';

export function backendParts({ engine, attributes, name }: BackendNode): Refused[] {
  const kind = engine?.kind ?? "stub";
  if (engine !== undefined && kind !== "stub" && kind !== "cpu")
    return [{ at: engine.span, what: `a \`${kind}\` backend`, instead: ENGINES }];
  const isLocal = kind === "cpu";
  const refused = attributes.flatMap((attribute) => backendAttribute(attribute, isLocal));
  if (!isLocal || attributes.some((attribute) => attribute.kind === "model")) return refused;
  return [{ at: name.span, what: "a `cpu` backend without a model", instead: "name one that has weights" }, ...refused];
}

/** What is said of a model in the machine, and held. */
const LOCAL: readonly BackendAttribute["kind"][] = ["model", "threads", "memory"];

function backendAttribute(attribute: BackendAttribute, isLocal: boolean): Refused[] {
  const { kind, span } = attribute;
  if (kind === "quota") return attribute.entries.flatMap(backendQuota);
  if (kind === "clearance" || kind === "log" || (isLocal && LOCAL.includes(kind))) return [];
  const instead = isLocal ? "leave it out: nothing in the image does it" : "leave it out: canned replies need none";
  return [{ at: span, what: `\`${kind}\` of a backend`, instead }];
}

/** What a backend counts itself are its answers and their tokens, whoever asks. */
function backendQuota(entry: QuotaEntry): Refused[] {
  const { unit, span } = entry;
  if (["calls", "tokens"].includes(unit.text)) return quotaParts(entry);
  return [
    { at: span, what: `a backend's quota of \`${unit.text}\``, instead: "count `calls`, its answers, or `tokens`" },
  ];
}

export function modelParts({ attributes, name }: ModelNode): Refused[] {
  const accept = attributes.flatMap((attribute) => (attribute.kind === "accept" ? [attribute.span] : []));
  const unmeasured = accept.map((at) => ({
    at,
    what: "`accept` of a model",
    instead: "leave it out: nobody has measured these weights",
  }));
  if (attributes.some(({ kind }) => kind === "weights")) return unmeasured;
  return [{ at: name.span, what: "a model without `weights`", instead: 'say where they are: `weights "FILE.gguf"`' }];
}

export function serviceParts(service: ServiceNode): Refused[] {
  const { attributes } = service;
  return attributes.flatMap((attribute) => {
    const { span: at } = attribute;
    if (attribute.kind === "grant" && !isReach(service, attribute)) {
      return [{ at, what: "a grant to a service", instead: "leave it out: the providers of the image take none" }];
    }
    return [];
  });
}

/** What says whom a service of the network's own interfaces may ask. */
function isReach(
  { interface: face, attributes }: ServiceNode,
  { to }: { readonly to: ServiceNode["interface"] },
): boolean {
  const [name, granted] = [face, to].map(({ parts }) => parts.at(-1)?.text ?? "");
  return name === granted && isReaching(granted) && attributes.every(({ kind }) => kind !== "exec");
}

const REACHING: readonly string[] = ["Fetch", "HttpEndpoint"];

function isReaching(face: string | undefined): boolean {
  return face !== undefined && REACHING.includes(face);
}

export function sessionParts({ attributes }: SessionNode): Refused[] {
  return attributes.flatMap((attribute) => {
    switch (attribute.kind) {
      case "widen":
        return attribute.changes.flatMap((change) =>
          change.kind === "quota" ? change.entries.flatMap(quotaParts) : [],
        );
      default:
        return quotasIn(attribute);
    }
  });
}

export function taskParts({ attributes }: TaskNode): Refused[] {
  return attributes.flatMap((attribute) =>
    attribute.kind === "phase" ? attribute.attributes.flatMap(quotasIn) : quotasIn(attribute),
  );
}

/** What a session, a task and a phase may all say. */
function quotasIn(attribute: SessionNode["attributes"][number]): Refused[] {
  return attribute.kind === "quota" ? attribute.entries.flatMap(quotaParts) : [];
}

function quotaParts({ unit, span }: QuotaEntry): Refused[] {
  if (!/^[A-Z]{3}$/.test(unit.text)) return [];
  const instead = "count `calls`, `tokens`, `prompts`, bytes or a category: nothing in the image knows a price";
  return [{ at: span, what: `a quota of \`${unit.text}\``, instead }];
}

/** What is counted per principal or day outlasts the machine's run: without a data disk every call would be refused. */
export function lastingQuotas(items: readonly Item[]): Refused[] {
  return items
    .flatMap(quotasOf)
    .filter(({ scope }) => ["principal", "day"].includes(scope.text))
    .map(({ scope, span }) => ({
      at: span,
      what: `a quota per ${scope.text} without a data disk`,
      instead: 'write `storage { disk "capos-data" }`, or count per call, turn, conversation, task, login or hour',
    }));
}

function quotasOf(item: Item): readonly QuotaEntry[] {
  if (item.kind === "backend") {
    return item.attributes.flatMap((attribute) => (attribute.kind === "quota" ? attribute.entries : []));
  }
  if (item.kind !== "session" && item.kind !== "task") return [];
  return item.attributes.flatMap((attribute): readonly QuotaEntry[] => {
    if (attribute.kind === "quota") return attribute.entries;
    if (attribute.kind === "widen") {
      return attribute.changes.flatMap((change) => (change.kind === "quota" ? change.entries : []));
    }
    if (attribute.kind !== "phase") return [];
    return attribute.attributes.flatMap((inner) => (inner.kind === "quota" ? inner.entries : []));
  });
}

export function principalParts({ proofs }: PrincipalNode): Refused[] {
  return proofs
    .filter(({ kind }) => kind !== "ssh")
    .map(({ kind, span }) => ({ at: span, what: `\`${kind}\``, instead: 'write `ssh "keys/NAME.pub"`' }));
}

const ENFORCED: Readonly<Record<string, readonly string[]>> = {
  target: ["linux"],
  machine: ["vm", "pc"],
};

export function imageParts({ settings }: SettingsNode): Refused[] {
  return settings.flatMap(({ name, values }) => {
    const enforced = Object.hasOwn(ENFORCED, name.text) ? ENFORCED[name.text] : undefined;
    if (enforced === undefined) return [];
    return values.flatMap((value) => {
      const text = value.kind === "name" ? value.value.text : "";
      if (enforced.includes(text)) return [];
      return [
        { at: value.span, what: `this \`${name.text}\``, instead: `write \`${name.text} ${enforced.join("` or `")}\`` },
      ];
    });
  });
}
