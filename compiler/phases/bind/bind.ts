import { type Diagnostic, isError } from "../../../lang/diagnostics/index.ts";
import type { Item } from "../../../lang/tree/index.ts";
import { type Imports, NO_IMPORTS } from "../reflect/index.ts";
import type { Package } from "../source/index.ts";
import { bindAudit } from "./audit.ts";
import { bindBackends } from "./backends.ts";
import { bindCategories } from "./categories.ts";
import { bindAssertions, type ClaimWords } from "./claims.ts";
import { type Context, createSuggestions, selectKind } from "./context.ts";
import type { InterfaceDescription } from "./described.ts";
import { bindIngresses, bindReleases, bindWaivers } from "./flows.ts";
import { bindInterfaces } from "./interfaces.ts";
import {
  collectAliases,
  collectItems,
  findSettings,
  findSystems,
  findUnimported,
  type Items,
  selectSystem,
} from "./items.ts";
import { bindLattice } from "./lattice.ts";
import type { Interface, Model, Task } from "./model/index.ts";
import type { Naming } from "./naming.ts";
import type { NarrowingWords } from "./narrowing.ts";
import { bindPrincipals } from "./principals.ts";
import { bindRedactions } from "./redactions.ts";
import { bindTests, type RehearsalWords } from "./rehearsals.ts";
import { mergeRepeatedNames } from "./repeated.ts";
import { bindServices, findUnbound } from "./services.ts";
import { bindSessions } from "./sessions.ts";
import { bindSets } from "./sets.ts";
import { bindImage, bindNetwork, bindStorage, checkSettingNames } from "./settings.ts";
import { indexSubjects } from "./subjects.ts";
import { bindTasks, bindWorkers, checkInherited } from "./tasks.ts";
import { collectTools, createCoverage, indexTools } from "./tools.ts";
import { bindWeights } from "./weights.ts";

// Binding resolves names; it does not check laws. A name that cannot be resolved is left out of the model, and laws
// skip it, so that one typo gives one diagnostic and not twenty.

interface Bound {
  readonly model: Model;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Context whose set of lost names grows during binding, so that a name that could not be bound is reported only once.
 */
interface Losing extends Context {
  readonly lost: Set<string>;
}

/**
 * Resolves the names of a package. `described` are the standard interfaces, and `imports` are the imported ones.
 * `named` receives each name on the page with its meaning, as far as it is known.
 */
export function bind(
  loaded: Package,
  described: readonly InterfaceDescription[],
  imports: Imports = NO_IMPORTS,
  named: (naming: Naming) => void = () => {},
): Bound {
  const diagnostics: Diagnostic[] = [];
  const items = collectItems(loaded);
  const lost = new Set([...loaded.pages.flatMap((tree) => [...tree.lost]), ...findUnimported(items.page, imports)]);
  const incomplete = loaded.incomplete || imports.failed.size > 0;
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const context: Losing = { report, suggest: createSuggestions(), lost, incomplete, named };
  for (const alias of collectAliases(items.page)) {
    named({ span: alias.span, what: "import", id: alias.text, declares: true });
  }

  const systems = loaded.pages.flatMap((tree) => findSystems(tree.items));
  const damaged = systems.some((system) => system.damaged) || lost.size > 0 || incomplete;
  const things = bindThings(context, loaded, items, { described, imports });
  const people = bindPeople(context, loaded, items, things.words);
  const settings = bindSettings(context, items.page, {
    sessions: people.words.subjects.sessions,
    services: new Set(things.bound.services.map(({ name }) => name)),
  });
  const model: Omit<Model, "damaged"> = {
    system: selectSystem(context, loaded, systems, damaged ? "damaged" : "whole"),
    ...things.bound,
    ...people.bound,
    ...bindFlows(context, items, people.words, people.bound.tasks),
    ...settings,
    audit: bindAudit(context, { lattice: things.bound.lattice, ...settings }, selectKind(items.page, "audit")),
  };
  return {
    model: { ...model, damaged: damaged || diagnostics.some(isError) },
    diagnostics: mergeRepeatedNames(diagnostics),
  };
}

interface Described {
  readonly described: readonly InterfaceDescription[];
  readonly imports: Imports;
}

/** Binds interfaces, services and tools, and collects the names by which lines of the page can refer to them. */
function bindThings(context: Losing, loaded: Package, { page, used, prelude }: Items, outside: Described) {
  const lattice = bindLattice(context, selectLattice(page), selectLattice(prelude));
  const categories = bindCategories(context, selectKind(prelude, "category"), selectKind(page, "category"));
  const sets = bindSets(context, selectKind([...[...used.values()].flat(), ...page], "let"));
  const described = new Map(outside.described.map((face) => [face.name, face]));
  const interfaces: ReadonlyMap<string, Interface> = bindInterfaces(
    context,
    { lattice, categories, described, imports: outside.imports },
    selectKind([...[...used.values()].flat(), ...page], "interface"),
  );
  const nodes = selectKind(page, "service");
  const services = bindServices(
    context,
    {
      ...{ lattice, interfaces, assets: loaded.assets, programs: loaded.programs },
      sessions: new Map(selectKind(page, "session").map((node) => [node.name.text, node])),
    },
    nodes,
  );
  // Record the names of services whose interface is unknown, so that patterns with these names are not reported.
  const unbound = findUnbound(nodes, services);
  for (const name of unbound) context.lost.add(name);
  const tools = collectTools([...services.values()]);
  const byName = indexTools(tools);
  const words: NarrowingWords = {
    lattice,
    sets,
    categories,
    interfaces,
    services,
    coverage: createCoverage(tools, byName),
  };
  const bound = {
    lattice,
    categories: [...categories.values()],
    sets: [...sets.values()],
    interfaces: [...interfaces.values()],
    services: [...services.values()],
    tools,
  };
  return {
    bound,
    words: { ...words, tools: byName },
  };
}

type ThingWords = ReturnType<typeof bindThings>["words"];

/** Binds principals, backends, sessions and tasks. */
function bindPeople(context: Losing, loaded: Package, { page, used }: Items, things: ThingWords) {
  const { assets, weights: files } = loaded;
  const principals = bindPrincipals(context, assets, selectKind(page, "principal"));
  const weights = bindWeights(context, files, selectKind(page, "model"));
  const backends = bindBackends(context, { ...things, weights }, assets, selectKind(page, "backend"));
  const modules = new Map([...used].map(([name, items]) => [name, selectKind(items, "session")]));
  const nodes = { page: selectKind(page, "session"), modules };
  const sessions = bindSessions(context, { ...things, principals, backends }, nodes);
  const taskNodes = selectKind(page, "task");
  const tasks = bindTasks(context, things, sessions, taskNodes);
  // A task in an unknown session is not bound. Record its name, so that uses of it are not reported.
  const subjects = indexSubjects(sessions, tasks);
  for (const { name } of taskNodes) if (!subjects.named.has(name.text)) context.lost.add(name.text);
  checkInherited(context, subjects, tasks);
  const bound = {
    principals: [...principals.values()],
    weights: [...weights.values()],
    backends: [...backends.values()],
    sessions: [...sessions.values()],
    tasks,
    workers: bindWorkers(context, things, subjects, selectKind(page, "worker")),
  };
  return { bound, words: { ...things, subjects, backends } };
}

/** Binds ingresses, redactions and releases, and the assertions, waivers and tests of the page. */
function bindFlows(
  context: Context,
  { page, used }: Items,
  words: ClaimWords & RehearsalWords,
  tasks: readonly Task[],
) {
  const asserted = [...[...used.values()].flat(), ...page];
  return {
    ingresses: bindIngresses(context, words, selectKind(page, "ingress")),
    redactions: bindRedactions(context, words, selectKind(page, "redaction")),
    releases: [
      ...bindReleases(context, words, selectKind(page, "release")),
      ...tasks.flatMap((task) => bindReleases(context, words, selectKind(task.node.attributes, "release"), task)),
    ],
    waivers: bindWaivers(context, words.subjects, selectKind(page, "waive")),
    assertions: bindAssertions(context, words, selectKind(asserted, "assert")),
    tests: bindTests(context, words, selectKind(page, "test")),
  };
}

function bindSettings(context: Context, page: readonly Item[], named: Parameters<typeof bindImage>[2]) {
  const settings = findSettings(page);
  checkSettingNames(context, settings);
  const selectOfKind = (kind: (typeof settings)[number]["kind"]) => settings.filter((node) => node.kind === kind);
  return {
    storage: bindStorage(context, selectOfKind("storage")),
    network: bindNetwork(context, selectOfKind("network")),
    image: bindImage(context, selectOfKind("image"), named),
  };
}

function selectLattice(items: readonly Item[]) {
  return { levels: selectKind(items, "levels"), compartments: selectKind(items, "compartments") };
}
