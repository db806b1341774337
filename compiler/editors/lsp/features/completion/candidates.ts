import { renderName } from "../../../../../lang/format/index.ts";
import {
  type Interface,
  KERNEL_SOURCES,
  type Model,
  NETWORK_INTERFACES,
  type Param,
  WORDS,
} from "../../../../phases/bind/index.ts";
import { DIALECTS } from "../../../../phases/policy/index.ts";
import { STANDARD_MODULES } from "../../../../phases/source/index.ts";
import { type Candidate, createCandidate, createWord } from "./candidate.ts";
import type { CompletionTarget } from "./completion-target.ts";
import {
  findFields,
  findInterfaces,
  findMethod,
  findMethodsOf,
  findType,
  getBareName,
  listChoices,
  listShared,
  readTerm,
  renderType,
} from "./fields.ts";
import { listSettings, listSettingValues } from "./settings.ts";
import { listOpenValues, readReference, type Site, skipBrackets } from "./site.ts";
import { findSubjectTask, findTaskAround, findTaskOfTest } from "./tasks-around.ts";

const KERNEL = "kernel";
const VAULT = "vault";

/** Returns the names that a place accepts after the dotted names (`before`) that are already typed. */
export function findCandidates(wanted: CompletionTarget, model: Model, site: Site): readonly Candidate[] {
  const { before } = site;
  if (typeof wanted !== "string") return before.length > 0 ? [] : WORDS[wanted.words].map(createWord);
  switch (wanted) {
    case "term":
    case "argument":
    case "argument of a fact":
    case "argument or field of a call":
    case "masked field":
    case "related field":
    case "strong field":
    case "value of a call":
    case "value of a condition":
      return listOfSchema(wanted, model, site);
    case "setting":
      return listSettings(site);
    case "setting value":
      return listSettingValues(site, model);
    case "unit of a literal":
    case "unit of a model":
    case "unit of a quota":
    case "noun of a quota":
    case "currency":
      return listUnits(wanted, model, site);
    case "given parameter":
    case "parameter":
    case "phase or backend":
      return listOfTask(wanted, model, site);
    case "method of an interface":
      return listUndescribed(model, site);
    case "module root":
      return [createWord("std")];
    case "module":
      return STANDARD_MODULES.map(createWord);
    case "provider":
      return DIALECTS.map(createWord);
    case "secret":
      return before.length > 0 ? [] : [createWord(VAULT)];
    case "pattern":
      return before.length > 0
        ? listMembers(model, before)
        : [...listCategories(model), ...listServices(model), ...listInterfaces(model, [])];
    case "tool":
      return before.length > 0 ? listMembers(model, before) : listServices(model);
    case "source":
      return listSources(model, site);
    case "interface":
      return listInterfaces(model, before);
    case "holding":
      return listGrantable(model, before);
    case "sink":
      return [...listPlain(wanted, model, site), ...listInterfaces(model, before)];
    default:
      return listPlain(wanted, model, site);
  }
}

type PlainTarget =
  | ("backend" | "category" | "compartment" | "confidentiality level" | "integrity level" | "model" | "principal")
  | ("session" | "set" | "sink" | "started subject" | "subject");

function listPlain(wanted: PlainTarget, model: Model, { before, wordsOf }: Site): readonly Candidate[] {
  const listAll = (): readonly Candidate[] => {
    switch (wanted) {
      case "session": {
        // A session must not extend itself, so its own name is not offered.
        const own = wordsOf("session").find((_, index, words) => words[index - 1]?.kind === "session")?.text;
        return listSessions(model).filter(({ id }) => id !== own);
      }
      case "subject":
        return [...listSessions(model), ...model.tasks.flatMap(listTaskNames)];
      case "started subject": {
        const begun = model.sessions
          .filter(({ abstract }) => !abstract)
          .map(({ id }) => createCandidate("session", id));
        return [...begun, ...model.tasks.flatMap(listTaskNames)];
      }
      case "category":
        return listCategories(model);
      case "backend":
        return listBackends(model);
      case "sink":
        return [...listBackends(model), ...listServices(model)];
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

/** Returns both names of a task: without and with its session. */
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

function listBackends({ backends: all }: Model): readonly Candidate[] {
  return all.map(({ name }) => createCandidate("backend", name));
}

type SchemaTarget =
  | ("term" | "argument" | "argument of a fact" | "argument or field of a call" | "masked field" | "related field")
  | ("strong field" | "value of a call" | "value of a condition");

/** Returns arguments, fields and values that the schema of a tool names. */
function listOfSchema(wanted: SchemaTarget, model: Model, site: Site): readonly Candidate[] {
  const { before, rules, wordsOf } = site;
  switch (wanted) {
    case "term": {
      const functions = before.length > 0 ? [] : [...WORDS.functions, "has"].map(createWord);
      return [...listParams(findFields(listConditionParams(model, site), before)), ...functions];
    }
    case "argument":
      return listParams(findFields(listConditionParams(model, site), before));
    case "value of a condition":
      return listChoices(findType(listConditionParams(model, site), readTerm(wordsOf("testedTerm")))).map(createWord);
    case "argument of a fact": {
      const [, method] = wordsOf("method");
      const face = findInterfaces(model, readReference(wordsOf("interface").slice(1)).join("."))[0];
      const described = face?.description.methods.find(
        ({ name }) => name === readReference([method].flatMap((one) => one ?? []))[0],
      );
      return before.length > 0 || described?.callable !== true ? [] : listParams(described.params);
    }
    case "argument or field of a call": {
      const { params, open } = readCall(model, site);
      const fields = findFields(params, listPath(open.slice(0, -1)));
      const given = new Set(open.at(-1)?.fields);
      return listParams(fields.filter(({ name }) => !given.has(name)));
    }
    case "value of a call": {
      const { params, open } = readCall(model, site);
      return listChoices(findType(params, listPath(open))).map(createWord);
    }
    case "masked field": {
      if (before.length < 2) return before.length > 0 ? listMembers(model, before) : listServices(model);
      const method = findMethod(model, before.slice(0, 2))?.description;
      const params = wordsOf("redactionPart")[0]?.kind === "arg" ? method?.params : method?.results;
      return listParams(findFields(params ?? [], before.slice(2)));
    }
    case "strong field": {
      const face = findInterfaces(model, readReference(wordsOf("service").slice(3)).join("."))[0];
      if (face === undefined || before.length === 0) return face === undefined ? [] : listMethods(face);
      return listParams(findFields(face.methods.get(before[0] ?? "")?.description.results ?? [], before.slice(1)));
    }
    case "related field": {
      const names = readOrigin(site);
      const method = findMethod(model, names.slice(0, 2))?.description;
      // In the list of grammar rules, `related 1` stands for a condition in square brackets after a field of a result.
      // Such a condition names other fields of the same record, so these fields are offered.
      const params = rules.includes("related 1")
        ? findFields(method?.results ?? [], names.slice(2, -1))
        : (method?.params ?? []);
      return listParams(findFields(params, before));
    }
  }
}

/** Returns the arguments that all tools of a permission line or of a floor have. */
function listConditionParams(model: Model, { rules, wordsOf }: Site): readonly Param[] {
  const rule = rules.findLast((each) => ["line", "inherited", "floor"].includes(each)) ?? "line";
  const words = wordsOf(rule);
  const from = rule === "floor" ? 2 : 1;
  const end = words.findIndex(({ kind }) => kind === "where");
  const methods = findMethodsOf(model, words.slice(from, end < 0 ? undefined : end));
  return listShared(methods.map(({ description }) => description.params));
}

/**
 * Returns the arguments of the tool that a test calls, or, after `giving`, the fields of its result. Also returns the
 * records and lists that are still open at the place.
 */
function readCall(model: Model, { rules, wordsOf, wordsAt }: Site) {
  const method = findMethod(model, readReference(wordsOf("callStep").slice(1)))?.description;
  const outermost = rules.lastIndexOf("callStep") + 1;
  const params = rules[outermost] === "json" ? method?.results : method?.params;
  return { params: params ?? [], open: listOpenValues(wordsAt(outermost)) };
}

/** Returns the names of the fields around a value. */
function listPath(open: readonly { readonly fields: readonly string[] }[]): readonly string[] {
  return open.flatMap(({ fields }) => fields.slice(-1));
}

function listParams(params: readonly Param[]): readonly Candidate[] {
  return params.map(({ name, type, required }) => ({
    text: renderName({ text: name }),
    what: "argument",
    id: name,
    detail: `${required ? "" : "optional "}${renderType(type)}`,
  }));
}

/** Returns the possible sources of a value: the person, the page, levels of integrity, and fields of results of services. */
function listSources(model: Model, site: Site): readonly Candidate[] {
  const [service, method, ...path] = site.rules.includes("references") ? site.before : readOrigin(site);
  if (service === undefined)
    return [
      ...WORDS.places.map(createWord),
      // The lowest level is left out, because its word `untrusted` is already offered.
      ...model.lattice.integrity.slice(1).map((name) => createCandidate("integrity level", name)),
      ...listServices(model),
    ];
  if (method === undefined) return listMembers(model, [service]);
  return listParams(findFields(findMethod(model, [service, method])?.description.results ?? [], path));
}

/** Returns the names of a source outside of its brackets: `["bank", "list", "rows"]` of `bank.list(page from person).rows`. */
function readOrigin({ wordsOf }: Site): readonly string[] {
  return readReference(skipBrackets(wordsOf("origin")));
}

type UnitTarget = "unit of a literal" | "unit of a model" | "unit of a quota" | "noun of a quota" | "currency";

function listUnits(wanted: UnitTarget, model: Model, { rules, wordsOf }: Site): readonly Candidate[] {
  switch (wanted) {
    case "currency":
      return listCurrencies(model);
    case "noun of a quota": {
      const unit = wordsOf("quotaEntry")[1]?.text;
      return model.categories.some(({ name }) => name === unit) ? [createWord("calls")] : [];
    }
    case "unit of a quota":
      return [...WORDS.units.map(createWord), ...listCategories(model), ...listPrices(model).map(createWord)];
    case "unit of a model": {
      const [attribute] = wordsOf("modelAttribute");
      if (attribute?.kind === "price") return listCurrencies(model);
      return [createWord(attribute?.kind === "accept" ? "percent" : "tokens")];
    }
    case "unit of a literal": {
      if (rules.includes("namedSet")) return [...WORDS.sizes, ...WORDS.times].map(createWord);
      return [...[...WORDS.sizes, ...WORDS.times].map(createWord), ...listMoneys(model).map(createWord)];
    }
  }
}

/** Returns the currencies that the page uses, and EUR and USD, so that there are proposals for any page. */
function listCurrencies(model: Model): readonly Candidate[] {
  return [...new Set([...listMoneys(model), ...listPrices(model), "EUR", "USD"])].map(createWord);
}

function listMoneys({ interfaces, tasks }: Model): readonly string[] {
  const meanings = interfaces.flatMap(({ methods }) =>
    [...methods.values()].flatMap((one) => [...one.meanings.values()]),
  );
  const known = meanings.flatMap((one) => (one.kind === "money" ? [one.currency] : []));
  const chosen = tasks.flatMap(({ parameters }) => parameters.flatMap(({ currency }) => currency || []));
  return [...new Set([...known, ...chosen])];
}

function listPrices({ weights }: Model): readonly string[] {
  return [...new Set(weights.flatMap(({ price }) => price?.currency ?? []))];
}

function listOfTask(
  wanted: "given parameter" | "parameter" | "phase or backend",
  model: Model,
  { wordsOf }: Site,
): readonly Candidate[] {
  switch (wanted) {
    case "parameter":
      return listTaskParameters(findTaskAround(model, wordsOf("task")), new Set());
    case "given parameter": {
      const words = wordsOf("asStep");
      const given = words.filter((_, index) => words[index + 1]?.kind === ":").map(({ text }) => text);
      return listTaskParameters(findSubjectTask(model, readReference(words.slice(1))), new Set(given));
    }
    case "phase or backend": {
      if (wordsOf("enterStep")[0]?.kind === "infer") return listBackends(model);
      const task = findTaskOfTest(model, wordsOf("rehearsal"));
      return (task?.phases ?? []).map(({ name }) => createCandidate(`phase of ${task?.id}`, name));
    }
  }
}

function listTaskParameters(
  task: Model["tasks"][number] | undefined,
  given: ReadonlySet<string>,
): readonly Candidate[] {
  const left = (task?.parameters ?? []).filter(({ name }) => !given.has(name));
  return left.map(({ name }) => createCandidate(`parameter of ${task?.id}`, name));
}

/**
 * Returns what a service may be granted at this place: services, interfaces and sessions. Only a service that executes
 * plans may be granted a session. Names after `kernel.` belong to the upstream kernel.
 */
function listGrantable(model: Model, before: readonly string[]): readonly Candidate[] {
  if (before.length === 1 && before[0] === KERNEL)
    return KERNEL_SOURCES.map(({ name }) => createCandidate("kernel source", name));
  const first = before.length > 0 ? [] : [...listServices(model), ...listSessions(model), createWord(KERNEL)];
  return [...first, ...listNetworks(before), ...listInterfaces(model, before)];
}

function listNetworks(before: readonly string[]): readonly Candidate[] {
  return before.length > 0 ? [] : [...NETWORK_INTERFACES].map((name) => createCandidate("interface", name));
}

/** Returns the interfaces. An interface of an import is listed with the import's name and without it. */
function listInterfaces({ interfaces: all }: Model, before: readonly string[]): readonly Candidate[] {
  const whole = all.map(({ name }) => createCandidate("interface", name));
  const aliases = new Set(all.flatMap(({ alias }) => alias ?? []));
  const bare = all.flatMap((face) =>
    face.alias === undefined ? [] : [{ text: getBareName(face), what: "interface", id: face.name }],
  );
  if (before.length > 0) return stripPrefix(whole, before[0] === "tools" ? before.slice(1) : before);
  return [...whole, ...bare, ...[...aliases].map((alias) => createCandidate("import", alias))];
}

/** Returns the methods of a service or an interface, or the interfaces of an import. */
function listMembers(model: Model, before: readonly string[]): readonly Candidate[] {
  const name = before.join(".");
  const service = model.services.find((one) => one.name === name);
  if (service !== undefined) return listMethods(service.interface);
  const faces = model.interfaces.filter((face) => face.alias === name);
  return [...[...findInterfaces(model, name), ...faces].flatMap(listMethods), ...listInterfaces(model, before)];
}

function listMethods({ name: face, methods }: Interface): readonly Candidate[] {
  return [...methods.keys()].map((method) => createMethod(face, method));
}

/** Returns the methods of an interface's schema that the `interface` block does not describe before the place. */
function listUndescribed(model: Model, { wordsOf }: Site): readonly Candidate[] {
  const words = wordsOf("interface");
  const face = findInterfaces(model, readReference(words.slice(1)).join("."))[0];
  const written = words.flatMap((_, index) =>
    words[index - 1]?.kind === "method" ? readReference(words.slice(index)) : [],
  );
  const left = (face?.description.methods ?? []).filter(({ name, callable }) => callable && !written.includes(name));
  return left.map(({ name }) => createMethod(face?.name ?? "", name));
}

function createMethod(face: string, method: string): Candidate {
  return { text: renderName({ text: method }), what: `method of ${face}`, id: method };
}
