import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { startOf } from "../../lang/text/index.ts";
import type { FileTree, Item, SettingsNode, SystemNode } from "../../lang/tree/index.ts";
import { type Imports, NO_IMPORTS } from "../reflect/index.ts";
import type { Package } from "../source/index.ts";
import { bindBackends } from "./backends.ts";
import { bindCategories } from "./categories.ts";
import { bindAssertions } from "./claims.ts";
import { noSystem } from "./codes.ts";
import { type Context, ofKind, suggestions } from "./context.ts";
import type { InterfaceDescription } from "./described.ts";
import { bindIngresses, bindReleases, bindWaivers } from "./flows.ts";
import { bindInterfaces } from "./interfaces.ts";
import { bindLattice } from "./lattice.ts";
import type { Model } from "./model/index.ts";
import { bindPrincipals } from "./principals.ts";
import { bindTests } from "./rehearsals.ts";
import { bindServices, unboundOf } from "./services.ts";
import { bindSessions } from "./sessions.ts";
import { bindImage, bindNetwork, bindStorage, checkSettingNames } from "./settings.ts";
import { bindTasks, bindWorkers, tasksBySession } from "./tasks.ts";
import { toolsByKey, toolsOf } from "./tools.ts";
import { bindWeights } from "./weights.ts";

// Binding resolves names; it never says whether what they make is lawful. A missing name becomes a hole that the laws
// skip, so that one typo yields one diagnostic and not twenty.

export interface Bound {
  readonly model: Model;
  readonly diagnostics: readonly Diagnostic[];
}

/** `described` are the standard interfaces, `imports` those that the page brings itself. */
export function bind(
  loaded: Package,
  described: readonly InterfaceDescription[],
  imports: Imports = NO_IMPORTS,
): Bound {
  const diagnostics: Diagnostic[] = [];
  const page = loaded.pages.flatMap((tree) => itemsOf(tree));
  const standard = new Map([...loaded.modules].map(([name, tree]) => [name, itemsOf(tree)]));
  const prelude = [...standard.values()].flat();
  const lost = new Set([...loaded.pages.flatMap((tree) => [...tree.lost]), ...unimported(page, imports)]);
  const incomplete = loaded.incomplete || imports.failed.size > 0;
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const context: Context = { report, suggest: suggestions(), lost, incomplete };

  const systems = loaded.pages.flatMap((tree) => systemsOf(tree.items));
  const damaged = systems.some((system) => system.damaged) || lost.size > 0 || incomplete;
  const lattice = bindLattice(context, latticeOf(page), latticeOf(prelude));
  const categories = bindCategories(context, ofKind(prelude, "category"), ofKind(page, "category"));
  const interfaces = bindInterfaces(
    context,
    { lattice, categories, described: new Map(described.map((face) => [face.name, face])), imports },
    [...used(loaded, standard), ...page].filter((item) => item.kind === "interface"),
  );
  const serviceNodes = ofKind(page, "service");
  const services = bindServices(context, { lattice, interfaces, assets: loaded.assets }, serviceNodes);
  // Patterns that name a service of an unknown interface must not be reported a second time.
  const unbound = unboundOf(serviceNodes, services);
  for (const name of unbound) lost.add(name);
  const tools = toolsOf([...services.values()]);
  const principals = bindPrincipals(context, loaded.assets, ofKind(page, "principal"));
  const weights = bindWeights(context, ofKind(page, "model"));
  const backends = bindBackends(context, { lattice, categories, weights }, loaded.assets, ofKind(page, "backend"));
  const patterns = { lattice, categories, interfaces, services, toolsByKey: toolsByKey(tools) };
  const sessions = bindSessions(
    context,
    { ...patterns, principals, backends },
    { page: ofKind(page, "session"), modules: sessionsOf(loaded, standard) },
  );
  const tasks = bindTasks(context, patterns, sessions, ofKind(page, "task"));
  const subjects = { sessions, tasks: tasksBySession(context, sessions, tasks) };
  const words = { ...patterns, subjects, backends, tools: new Map(tools.map((tool) => [tool.name, tool])) };
  const settings: readonly SettingsNode[] = page.filter(isSettings);
  checkSettingNames(context, settings);
  const model: Model = {
    system: theSystem(context, loaded, systems, damaged),
    lattice,
    categories: [...categories.values()],
    interfaces: [...interfaces.values()],
    services: [...services.values()],
    tools,
    principals: [...principals.values()],
    weights: [...weights.values()],
    backends: [...backends.values()],
    sessions: [...sessions.values()],
    tasks,
    workers: bindWorkers(context, patterns, subjects, ofKind(page, "worker")),
    ingresses: bindIngresses(context, words, ofKind(page, "ingress")),
    releases: bindReleases(context, words, ofKind(page, "release")),
    waivers: bindWaivers(context, subjects, ofKind(page, "waive")),
    assertions: bindAssertions(context, words, [
      ...ofKind(used(loaded, standard), "assert"),
      ...ofKind(page, "assert"),
    ]),
    tests: bindTests(context, words, ofKind(page, "test")),
    storage: bindStorage(
      context,
      settings.filter((node) => node.kind === "storage"),
    ),
    network: bindNetwork(
      context,
      settings.filter((node) => node.kind === "network"),
    ),
    image: bindImage(
      context,
      settings.filter((node) => node.kind === "image"),
      sessions,
    ),
    damaged: damaged || unbound.length > 0,
  };
  return { model, diagnostics };
}

/** The items of a file, those inside its system among them. */
export function itemsOf(tree: FileTree): Item[] {
  return tree.items.flatMap((item) => (item.kind === "system" ? [item, ...item.items] : [item]));
}

function isSettings(item: Item): item is SettingsNode {
  return item.kind === "storage" || item.kind === "network" || item.kind === "image";
}

function systemsOf(items: readonly Item[]): SystemNode[] {
  return ofKind(items, "system").flatMap((system) => [system, ...systemsOf(system.items)]);
}

function theSystem(
  context: Context,
  loaded: Package,
  systems: readonly SystemNode[],
  damaged: boolean,
): SystemNode | undefined {
  const [first, second] = systems;
  const at = second?.name.span ?? startOf(loaded.pages[0]?.source.path ?? "system.cap");
  if (second !== undefined || (first === undefined && !damaged)) {
    context.report(noSystem.at(at, { count: systems.length }));
  }
  return first;
}

function latticeOf(items: readonly Item[]) {
  return { levels: ofKind(items, "levels"), compartments: ofKind(items, "compartments") };
}

function used(loaded: Package, standard: ReadonlyMap<string, readonly Item[]>): Item[] {
  return [...loaded.used].sort().flatMap((name) => standard.get(name) ?? []);
}

function sessionsOf(loaded: Package, standard: ReadonlyMap<string, readonly Item[]>) {
  const modules = [...loaded.used].sort();
  return new Map(modules.map((name) => [name, ofKind(standard.get(name) ?? [], "session")] as const));
}

/** Names of imports that could not be read: what stands behind them is missing through no fault of those who name it. */
function unimported(items: readonly Item[], { interfaces, failed }: Imports): string[] {
  const known = new Set(interfaces.map(({ alias }) => alias));
  return items.flatMap((item) => {
    if (item.kind !== "use" || !("alias" in item)) return [];
    const { text } = item.alias;
    return failed.has(text) || !known.has(text) ? [text] : [];
  });
}
