// Turns a page without errors into upstream's process graph. This module makes no decisions: laws have refused
// everything that it cannot read.

import { compareCodeUnits } from "../../../../lang/text/index.ts";
import {
  type BootPlan,
  type LogLevel,
  RESTARTS,
  type Restart,
  type UpstreamCap,
  type UpstreamPlan,
  type UpstreamService,
} from "../../../../targets/contract/upstream-plan.ts";
import { type Model, restartWords, type Service } from "../../bind/index.ts";
import { isModule } from "../../source/index.ts";
import type { Services } from "../grants-between-services.ts";
import { sortByName } from "../place.ts";
import { exportMeant, findExports, getUpstream, type InitCap, initCaps, readGrants } from "./graph.ts";

/**
 * Returns everything that a boot manifest and an image for upstream's kernel need from the page, or `undefined` if the
 * page has another target.
 */
export function planUpstream(model: Model, services: Services, boot?: BootPlan): UpstreamPlan | undefined {
  const upstream = getUpstream(model);
  if (upstream === undefined) return undefined;
  const restarts = new Map(upstream.restart.map(restartWords).map(({ service, when }) => [service, restartOf(when)]));
  const programs = sortByName(model.services).filter(isProgram);
  return {
    kernel: upstream.kernel?.text ?? "",
    limine: upstream.limine?.text ?? "",
    ...(boot === undefined ? {} : { boot }),
    init: initCaps(upstream).caps.map(initCapOf),
    services: orderProvidersFirst(programs).map((service) => lowerService(service, services, restarts)),
    exits: upstream.exits?.text ?? "",
    hostname: upstream.hostname?.text ?? "",
    motd: upstream.motd?.text ?? "",
    logLevel: logLevelOf(upstream.log?.text),
    carriesTables: upstream.tables === undefined,
  };
}

/** Returns whether the page has a program for the service, which upstream's kernel runs as a process. */
export function isProgram({ exec }: Service): boolean {
  return exec !== undefined && !isModule(exec.path.value);
}

/** Returns the name that the boot manifest, in its list `binaries`, gives to the program at a path. */
export function getBinaryName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function logLevelOf(word: string | undefined): LogLevel {
  return word === "debug" || word === "warn" || word === "error" ? word : "info";
}

function restartOf(when: string): Restart {
  return RESTARTS.find((known) => known === when) ?? "never";
}

function initCapOf({ kernel, words, name }: InitCap): UpstreamCap {
  return { name, source: { kind: "kernel", kernel }, badge: words.badge, discloses: words.discloses };
}

function lowerService(service: Service, services: Services, restarts: ReadonlyMap<string, Restart>): UpstreamService {
  const { name, exec } = service;
  return {
    name,
    binary: getBinaryName(exec?.path.value ?? ""),
    bytes: exec?.asset?.bytes ?? new Uint8Array(),
    caps: lowerCaps(service, services),
    exports: findExports(service).map((each) => each.name),
    restart: restarts.get(name) ?? "never",
  };
}

function lowerCaps(service: Service, services: Services): UpstreamCap[] {
  return readGrants(service).flatMap((read): UpstreamCap[] => {
    const { kernel, words, name, grant } = read;
    const common = { name, badge: words.badge, discloses: words.discloses };
    if (kernel !== undefined) return [{ ...common, source: { kind: "kernel", kernel } }];
    const provider = services.get(grant.to.name);
    const meant = provider && exportMeant(read, provider);
    if (provider === undefined || meant === undefined) return [];
    return [{ ...common, source: { kind: "service", service: provider.name, export: meant.name } }];
  });
}

/**
 * Returns the services, each after its providers, and otherwise in code-unit order of names. Laws refuse cycles; if
 * there is one nevertheless, it is cut.
 */
function orderProvidersFirst(services: readonly Service[]): Service[] {
  const named = new Map(services.map((service) => [service.name, service]));
  const left = new Map(
    services.map(({ name, grants }) => {
      const held = grants.filter(({ to }) => to.kind === "service" && named.has(to.name)).map(({ to }) => to.name);
      return [name, new Set(held)];
    }),
  );
  const ordered: Service[] = [];
  while (left.size > 0) {
    const free = [...left.keys()]
      .sort(compareCodeUnits)
      .find((name) => [...(left.get(name) ?? [])].every((held) => !left.has(held)));
    const next = free ?? [...left.keys()][0] ?? "";
    const service = named.get(next);
    if (service !== undefined) ordered.push(service);
    left.delete(next);
  }
  return ordered;
}
