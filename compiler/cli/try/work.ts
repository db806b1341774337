// Opens the trial of a page, with the files on which its conversation works.

import { join } from "node:path";
import { accept, type Result } from "../../../engine/lib/result/result.ts";
import type { StandIn } from "../../../engine/processes/egress/connection.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { World } from "../../host/world.ts";
import { listNameServers, needsNameServer } from "../../trial/name-servers.ts";
import { listLocalModels, type TrialPage } from "../../trial/plan.ts";
import { listServers } from "../../trial/servers.ts";
import { openTrial, type Trial } from "../../trial/trial.ts";
import type { Player } from "./scripted.ts";
import type { TrialTerminal } from "./terminal.ts";

/**
 * A trial needs the same as a build: programs and weights. A trial makes no proofs, because `capc check` makes them.
 */
export const PURPOSE = { purpose: "build", proofs: "left" } as const;

/**
 * Opens the weights of the page's local models, and stores their engine in a folder. If the page has no local models,
 * loads neither weights nor an engine. Fails if the engine is not installed, or if the card of a model is malformed.
 */
export async function openModels(
  policy: TrialPage["policy"],
  scratch: string,
): Promise<Result<Pick<TrialPage, "weights" | "engine">>> {
  const models = listLocalModels(policy);
  if (models.length === 0) return accept({ weights: new Map(), engine: "" });
  const { layOutEngine, openWeights } = await import("../../trial/weights.ts");
  const engine = layOutEngine(join(scratch, "engine"));
  if (!engine.ok) return engine;
  const weights = new Map();
  for (const model of models) {
    const opened = openWeights(model);
    if (!opened.ok) return opened;
    weights.set(model.name, opened.value);
  }
  return accept({ weights, engine: engine.value });
}

/** The folder of files that replaces the network; without one, the network is used. */
export interface Web {
  /** Path as the user typed it. */
  readonly folder?: string;
  readonly standIn?: StandIn;
}

/** Maximum number of servers that are listed; of the others, only the number is stated. */
const MOST_SERVERS = 6;

/** Returns whether requests of the page leave this host, and to which servers; `undefined` if the page may reach no server. */
export function describeReach(policy: TrialPage["policy"], { folder }: Web): string | undefined {
  const servers = listServers(policy);
  if (servers.length === 0) return undefined;
  if (folder !== undefined)
    return `requests are answered from the folder ${escapeInvisible(folder)}, without the network`;
  const more = servers.length > MOST_SERVERS ? [`${servers.length - MOST_SERVERS} more`] : [];
  const listed = [...servers.slice(0, MOST_SERVERS), ...more].join(", ");
  return `the real network is used; the page may reach ${listed} (--web DIR answers from files instead)`;
}

export interface Work {
  readonly page: TrialPage;
  readonly disk: string;
  /** Folder of the disk's initial files. */
  readonly before: string;
  readonly web: Web;
}

export interface Talk {
  readonly front: TrialTerminal | Player;
  /**
   * Resolves when the trial ends: with `undefined` if the person left, or with the reason why the trial cannot
   * continue.
   */
  readonly over: PromiseWithResolvers<string | undefined>;
}

/** Opens a trial, and reports the processes that do not run in it. */
export async function openWork(
  { page, disk, web: { standIn } }: Work,
  { front, over }: Talk,
  world: World,
): Promise<Trial> {
  const resolvers = listNameServers();
  if (standIn === undefined && resolvers === "" && needsNameServer(page.policy))
    world.report("capc try: this host has no name server with an IPv4 address, so names of servers are not resolved\n");
  const trial = await openTrial({ page, disk, front, resolvers, standIn, onBroken: over.resolve });
  for (const name of trial.absent)
    world.report(`capc try: ${name} is a static program, which runs in a machine alone\n`);
  return trial;
}
