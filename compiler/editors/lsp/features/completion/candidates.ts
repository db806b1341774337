import {
  type Interface,
  KERNEL_SOURCES,
  type Model,
  NETWORK_INTERFACES,
  WORDS,
} from "../../../../phases/bind/index.ts";
import { STANDARD_MODULES } from "../../../../phases/source/index.ts";
import type { Wanted } from "./wanted.ts";

const KERNEL = "kernel";

/** A name that may stand at a place. */
export interface Candidate {
  readonly text: string;
  /** As namings have it; of words that nobody declares, `word`. */
  readonly what: string;
  readonly id: string;
}

/** The names that a place may take, behind the ones that stand before it with a dot: `["notes"]` of `notes.`. */
export function candidatesFor(wanted: Wanted, model: Model, before: readonly string[]): readonly Candidate[] {
  if (typeof wanted !== "string")
    return before.length > 0 ? [] : WORDS[wanted.words].map((word) => named("word", word));
  switch (wanted) {
    case "module root":
      return [named("word", "std")];
    case "module":
      return STANDARD_MODULES.map((module) => named("word", module));
    case "pattern":
      return before.length > 0
        ? behindOwner(model, before)
        : [...categories(model), ...services(model), ...interfaces(model, [])];
    case "tool":
      return before.length > 0 ? behindOwner(model, before) : services(model);
    case "interface":
      return interfaces(model, before);
    case "holding":
      return held(model, before);
    case "sink":
      return [...plain(wanted, model, before), ...interfaces(model, before)];
    default:
      return plain(wanted, model, before);
  }
}

function plain(wanted: Exclude<Wanted, object>, model: Model, before: readonly string[]): readonly Candidate[] {
  const all = (): readonly Candidate[] => {
    switch (wanted) {
      case "session":
        return sessions(model);
      case "subject":
        return [...sessions(model), ...model.tasks.flatMap(taskNames)];
      case "phase":
        return model.tasks.flatMap(({ id, phases }) => phases.map(({ name }) => named(`phase of ${id}`, name)));
      case "category":
        return categories(model);
      case "backend":
        return model.backends.map(({ name }) => named("backend", name));
      case "sink":
        return [...model.backends.map(({ name }) => named("backend", name)), ...services(model)];
      case "model":
        return model.weights.map(({ name }) => named("model", name));
      case "principal":
        return model.principals.map(({ name }) => named("principal", name));
      case "compartment":
        return model.lattice.compartments.map((name) => named("compartment", name));
      case "confidentiality level":
        return model.lattice.confidentiality.map((name) => named(wanted, name));
      case "integrity level":
        return model.lattice.integrity.map((name) => named(wanted, name));
      default:
        return [];
    }
  };
  return behind(all(), before);
}

/** What of dotted names stands behind the dots that are there already. */
function behind(all: readonly Candidate[], before: readonly string[]): readonly Candidate[] {
  if (before.length === 0) return all;
  const prefix = `${before.join(".")}.`;
  return all.flatMap((one) => (one.text.startsWith(prefix) ? [{ ...one, text: one.text.slice(prefix.length) }] : []));
}

function named(what: string, id: string): Candidate {
  return { text: id, what, id };
}

/** A task is named alone, and with its session where that is needed. */
function taskNames({ id, name }: Model["tasks"][number]): readonly Candidate[] {
  return [
    { text: name, what: "task", id },
    { text: id, what: "task", id },
  ];
}

function categories({ categories: all }: Model): readonly Candidate[] {
  return all.map(({ name }) => named("category", name));
}

function sessions({ sessions: all }: Model): readonly Candidate[] {
  return all.map(({ id }) => named("session", id));
}

function services({ services: all }: Model): readonly Candidate[] {
  return all.map(({ name }) => named("service", name));
}

/** What a service may be granted: a session to who executes plans. What stands behind `kernel.` is upstream's own. */
function held(model: Model, before: readonly string[]): readonly Candidate[] {
  if (before.length === 1 && before[0] === KERNEL)
    return KERNEL_SOURCES.map(({ name }) => named("kernel source", name));
  const first = before.length > 0 ? [] : [...services(model), ...sessions(model), named("word", KERNEL)];
  return [...first, ...networks(before), ...interfaces(model, before)];
}

function networks(before: readonly string[]): readonly Candidate[] {
  return before.length > 0 ? [] : [...NETWORK_INTERFACES].map((name) => named("interface", name));
}

/** An import's are named with it, and may be named alone. */
function interfaces({ interfaces: all }: Model, before: readonly string[]): readonly Candidate[] {
  const whole = all.map(({ name }) => named("interface", name));
  const aliases = new Set(all.flatMap(({ alias }) => alias ?? []));
  const bare = all.flatMap(({ name, alias }) =>
    alias === undefined ? [] : [{ text: name.slice(alias.length + 1), what: "interface", id: name }],
  );
  if (before.length > 0) return behind(whole, before[0] === "tools" ? before.slice(1) : before);
  return [...whole, ...bare, ...[...aliases].map((alias) => named("import", alias))];
}

/** Methods of a service or an interface, or the interfaces of an import. */
function behindOwner(model: Model, before: readonly string[]): readonly Candidate[] {
  const name = before.join(".");
  const service = model.services.find((one) => one.name === name);
  if (service !== undefined) return methodsOf(service.interface);
  const faces = model.interfaces.filter((face) =>
    [face.name, bareName(face), face.alias, `tools.${face.name}`].includes(name),
  );
  return [...faces.flatMap(methodsOf), ...interfaces(model, before)];
}

function bareName({ name, alias }: Interface): string {
  return alias === undefined ? name : name.slice(alias.length + 1);
}

function methodsOf({ name: face, methods }: Interface): readonly Candidate[] {
  return [...methods.keys()].map((method) => named(`method of ${face}`, method));
}
