import {
  type Interface,
  KERNEL_SOURCES,
  type Model,
  NETWORK_INTERFACES,
  WORDS,
} from "../../../../phases/bind/index.ts";
import { STANDARD_MODULES } from "../../../../phases/source/index.ts";
import type { CompletionTarget } from "./completion-target.ts";

const KERNEL = "kernel";

/** A name that may be used at a place. */
export interface Candidate {
  readonly text: string;
  /** Kind as in a naming; `word` for words that no page declares. */
  readonly what: string;
  readonly id: string;
}

/** Returns the names that a place accepts after the names before it, which end with a dot: `["notes"]` of `notes.`. */
export function findCandidates(
  wanted: CompletionTarget,
  model: Model,
  before: readonly string[],
): readonly Candidate[] {
  if (typeof wanted !== "string")
    return before.length > 0 ? [] : WORDS[wanted.words].map((word) => createCandidate("word", word));
  switch (wanted) {
    case "module root":
      return [createCandidate("word", "std")];
    case "module":
      return STANDARD_MODULES.map((module) => createCandidate("word", module));
    case "pattern":
      return before.length > 0
        ? listMembers(model, before)
        : [...listCategories(model), ...listServices(model), ...listInterfaces(model, [])];
    case "tool":
      return before.length > 0 ? listMembers(model, before) : listServices(model);
    case "source":
      return before.length > 0 ? listMembers(model, before) : listSources(model);
    case "strong method":
      return before.length > 0 ? [] : model.interfaces.flatMap(listMethods);
    case "interface":
      return listInterfaces(model, before);
    case "parameter":
      return model.tasks.flatMap(({ id, parameters }) =>
        parameters.map(({ name }) => createCandidate(`parameter of ${id}`, name)),
      );
    case "holding":
      return listGrantable(model, before);
    case "sink":
      return [...listPlain(wanted, model, before), ...listInterfaces(model, before)];
    default:
      return listPlain(wanted, model, before);
  }
}

function listPlain(
  wanted: Exclude<CompletionTarget, object>,
  model: Model,
  before: readonly string[],
): readonly Candidate[] {
  const listAll = (): readonly Candidate[] => {
    switch (wanted) {
      case "session":
        return listSessions(model);
      case "subject":
        return [...listSessions(model), ...model.tasks.flatMap(listTaskNames)];
      case "phase":
        return model.tasks.flatMap(({ id, phases }) =>
          phases.map(({ name }) => createCandidate(`phase of ${id}`, name)),
        );
      case "category":
        return listCategories(model);
      case "backend":
        return model.backends.map(({ name }) => createCandidate("backend", name));
      case "sink":
        return [...model.backends.map(({ name }) => createCandidate("backend", name)), ...listServices(model)];
      case "model":
        return model.weights.map(({ name }) => createCandidate("model", name));
      case "principal":
        return model.principals.map(({ name }) => createCandidate("principal", name));
      case "set":
        return model.sets.map(({ name }) => createCandidate("set", name));
      case "compartment":
        return model.lattice.compartments.map((name) => createCandidate("compartment", name));
      case "confidentiality level":
        return model.lattice.confidentiality.map((name) => createCandidate(wanted, name));
      case "integrity level":
        return model.lattice.integrity.map((name) => createCandidate(wanted, name));
      default:
        return [];
    }
  };
  return stripPrefix(listAll(), before);
}

/** Returns the dotted names that continue the names already typed, without that prefix. */
function stripPrefix(all: readonly Candidate[], before: readonly string[]): readonly Candidate[] {
  if (before.length === 0) return all;
  const prefix = `${before.join(".")}.`;
  return all.flatMap((one) => (one.text.startsWith(prefix) ? [{ ...one, text: one.text.slice(prefix.length) }] : []));
}

function createCandidate(what: string, id: string): Candidate {
  return { text: id, what, id };
}

/** Returns the names of a task: alone, and with its session where needed. */
function listTaskNames({ id, name }: Model["tasks"][number]): readonly Candidate[] {
  return [
    { text: name, what: "task", id },
    { text: id, what: "task", id },
  ];
}

function listCategories({ categories: all }: Model): readonly Candidate[] {
  return all.map(({ name }) => createCandidate("category", name));
}

function listSessions({ sessions: all }: Model): readonly Candidate[] {
  return all.map(({ id }) => createCandidate("session", id));
}

function listServices({ services: all }: Model): readonly Candidate[] {
  return all.map(({ name }) => createCandidate("service", name));
}

/** Returns the possible sources of words: the person, the page, levels of integrity, and services whose results have fields. */
function listSources(model: Model): readonly Candidate[] {
  return [
    ...WORDS.places.map((word) => createCandidate("word", word)),
    ...model.lattice.integrity.map((name) => createCandidate("integrity level", name)),
    ...listServices(model),
  ];
}

/**
 * Returns the possible grants of a service; a session is granted to a service that executes plans. Names after `kernel.` belong to the
 * upstream kernel.
 */
function listGrantable(model: Model, before: readonly string[]): readonly Candidate[] {
  if (before.length === 1 && before[0] === KERNEL)
    return KERNEL_SOURCES.map(({ name }) => createCandidate("kernel source", name));
  const first =
    before.length > 0 ? [] : [...listServices(model), ...listSessions(model), createCandidate("word", KERNEL)];
  return [...first, ...listNetworks(before), ...listInterfaces(model, before)];
}

function listNetworks(before: readonly string[]): readonly Candidate[] {
  return before.length > 0 ? [] : [...NETWORK_INTERFACES].map((name) => createCandidate("interface", name));
}

/** Returns the interfaces. Those of an import are named with it, and may be named alone. */
function listInterfaces({ interfaces: all }: Model, before: readonly string[]): readonly Candidate[] {
  const whole = all.map(({ name }) => createCandidate("interface", name));
  const aliases = new Set(all.flatMap(({ alias }) => alias ?? []));
  const bare = all.flatMap(({ name, alias }) =>
    alias === undefined ? [] : [{ text: name.slice(alias.length + 1), what: "interface", id: name }],
  );
  if (before.length > 0) return stripPrefix(whole, before[0] === "tools" ? before.slice(1) : before);
  return [...whole, ...bare, ...[...aliases].map((alias) => createCandidate("import", alias))];
}

/** Returns the methods of a service or an interface, or the interfaces of an import. */
function listMembers(model: Model, before: readonly string[]): readonly Candidate[] {
  const name = before.join(".");
  const service = model.services.find((one) => one.name === name);
  if (service !== undefined) return listMethods(service.interface);
  const faces = model.interfaces.filter((face) =>
    [face.name, getBareName(face), face.alias, `tools.${face.name}`].includes(name),
  );
  return [...faces.flatMap(listMethods), ...listInterfaces(model, before)];
}

function getBareName({ name, alias }: Interface): string {
  return alias === undefined ? name : name.slice(alias.length + 1);
}

function listMethods({ name: face, methods }: Interface): readonly Candidate[] {
  return [...methods.keys()].map((method) => createCandidate(`method of ${face}`, method));
}
