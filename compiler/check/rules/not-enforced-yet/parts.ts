import type {
  BackendAttribute,
  BackendNode,
  Item,
  PrincipalNode,
  QuotaEntry,
  ServiceNode,
  SessionNode,
  SettingsNode,
  TaskNode,
} from "../../../../lang/tree/index.ts";
import type { Refused } from "./refused.ts";

const STUB = 'use `stub "replies.json"`';

export function backendParts({ engine, attributes }: BackendNode): Refused[] {
  if (engine !== undefined && engine.kind !== "stub") {
    return [{ at: engine.span, what: `a \`${engine.kind}\` backend`, instead: STUB }];
  }
  return attributes.flatMap(backendAttribute);
}

function backendAttribute(attribute: BackendAttribute): Refused[] {
  const { kind, span } = attribute;
  if (kind === "quota") return attribute.entries.flatMap(backendQuota);
  if (kind === "clearance" || kind === "log") return [];
  return [{ at: span, what: `\`${kind}\` of a backend`, instead: "leave it out: canned replies need none" }];
}

/** What a backend counts itself are its answers and their tokens, whoever asks. */
function backendQuota(entry: QuotaEntry): Refused[] {
  const { unit, span } = entry;
  if (["calls", "tokens"].includes(unit.text)) return quotaParts(entry);
  return [
    { at: span, what: `a backend's quota of \`${unit.text}\``, instead: "count `calls`, its answers, or `tokens`" },
  ];
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
