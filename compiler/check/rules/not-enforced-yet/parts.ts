import type {
  BackendAttribute,
  BackendNode,
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
  return attributes.filter(isUnused).map(({ kind, span }) => ({
    at: span,
    what: `\`${kind}\` of a backend`,
    instead: "leave it out: canned replies need none",
  }));
}

function isUnused(attribute: BackendAttribute): boolean {
  return attribute.kind !== "clearance";
}

export function serviceParts({ attributes }: ServiceNode): Refused[] {
  return attributes.flatMap((attribute) => {
    const { span: at } = attribute;
    if (attribute.kind === "grant") {
      return [{ at, what: "a grant to a service", instead: "leave it out: the providers of the image take none" }];
    }
    return [];
  });
}

export function sessionParts({ attributes }: SessionNode): Refused[] {
  return attributes.flatMap((attribute) => {
    switch (attribute.kind) {
      case "models":
        return attribute.choices.flatMap(({ mode }) => gatedModel(mode));
      case "widen":
        return attribute.changes.flatMap((change) => {
          if (change.kind === "models") return change.choices.flatMap(({ mode }) => gatedModel(mode));
          return change.kind === "quota" ? change.entries.flatMap(quotaParts) : [];
        });
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

function gatedModel({ mode, span }: SessionNodeMode): Refused[] {
  // A forbidden backend is a dead line, which is a law of its own.
  if (mode === "auto" || mode === "forbidden") return [];
  return [{ at: span, what: "a backend behind a gate", instead: "write `auto`, or leave the backend out" }];
}

type SessionNodeMode = Extract<SessionNode["attributes"][number], { kind: "models" }>["choices"][number]["mode"];

function quotaParts({ unit, scope, span }: QuotaEntry): Refused[] {
  const uncounted = unit.text === "tokens" || /^[A-Z]{3}$/.test(unit.text);
  if (uncounted) {
    const instead = "count `calls`, `prompts`, bytes or a category: nothing in the image counts anything else";
    return [{ at: span, what: `a quota of \`${unit.text}\``, instead }];
  }
  if (!["principal", "day"].includes(scope.text)) return [];
  const instead = "write it per call, turn, conversation, task, login or hour: no count outlasts the machine's run";
  return [{ at: span, what: `a quota per ${scope.text}`, instead }];
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
