// Reads `initConfig` as upstream's decoder does (capos-config 0.1.0, src/manifest.rs: InitBootstrapConfig,
// ServiceEntry, CapRef), with the rules of its validator for names (src/validation.rs). It reports parts that a page
// cannot express. Other faults are found when the imported page is compiled.

import type { CueValue } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { findKernelSource, type KernelSource } from "../../../../targets/contract/kernel-sources.ts";
import { RESTARTS, type Restart } from "../../../../targets/contract/upstream-plan.ts";
import { DISCLOSURES, type Disclosure } from "../../../../targets/contract/upstream-words.ts";
import type { Findings } from "./findings.ts";
import { isPageName, PAGE_NAME } from "./names.ts";
import { CueRecord, type ValueAt } from "./record.ts";

export interface Cap {
  readonly path: string;
  readonly name: string;
  readonly source:
    | { readonly kind: "kernel"; readonly kernel: KernelSource }
    | { readonly kind: "service"; readonly service: string; readonly export: string };
  readonly badge: bigint;
  /**
   * Parts of a session that the capability discloses, in upstream's order. The order has no meaning, because upstream
   * stores them as a set.
   */
  readonly discloses: readonly Disclosure[];
}

export interface Service {
  readonly path: string;
  readonly name: string;
  readonly binary: string;
  readonly caps: readonly Cap[];
  readonly exports: readonly string[];
  readonly restart: Restart;
}

export interface Graph {
  readonly initBinary: string;
  readonly init: readonly Cap[];
  readonly services: readonly Service[];
  /** Name of the service whose exit ends the system; empty if there is no such service. */
  readonly exits: string;
}

/** Name of the first process. It is part of the kernel, so a page cannot name another one. */
const INIT = "init";

export function readGraph(initConfig: CueValue, findings: Findings): Graph {
  const at = { path: "$.initConfig", value: initConfig };
  const root = new CueRecord(at, ["init", "services", "exitWhenServiceExits"], findings);
  const init = root.requireValue("init");
  const first = init && new CueRecord(init, ["binary", "caps"], findings);
  const services = root.list("services").map((each) => readService(each, findings));
  const exits = root.readOptionalText("exitWhenServiceExits") ?? "";
  const graph = {
    initBinary: first?.requireText("binary") ?? INIT,
    init: (first?.list("caps") ?? []).flatMap((each) => readCap(each, ["kernel"], findings) ?? []),
    services,
    exits,
  };
  if (root.has("exitWhenServiceExits") && services.every(({ name }) => name !== exits))
    findings.reportWrong("$.initConfig.exitWhenServiceExits", "upstream wants the name of a service here");
  checkNames(graph, findings);
  return graph;
}

function readService(at: ValueAt<CueValue>, findings: Findings): Service {
  const read = new CueRecord(at, ["name", "binary", "caps", "exports", "restart"], findings);
  const caps = read.list("caps").flatMap((each) => readCap(each, ["kernel", "service"], findings) ?? []);
  return {
    path: at.path,
    name: read.requireText("name") ?? "",
    binary: read.requireText("binary") ?? "",
    caps,
    exports: readExports(read, caps, findings),
    restart: restartOf(read, findings),
  };
}

function restartOf(read: CueRecord, findings: Findings): Restart {
  const word = read.readOptionalText("restart");
  const known = RESTARTS.find((each) => each === word);
  if (word !== undefined && known === undefined)
    findings.reportWrong(`${read.path}.restart`, `upstream knows ${RESTARTS.join(", ")}`);
  return known ?? "never";
}

/**
 * Returns the exports of a service. A service may export only capabilities that it gets from the kernel, and each only
 * once.
 */
function readExports(read: CueRecord, caps: readonly Cap[], findings: Findings): readonly string[] {
  const seen = new Set<string>();
  for (const { path, value } of read.readTexts("exports")) {
    const own = caps.find(({ name }) => name === value);
    if (own === undefined) findings.reportWrong(path, "upstream wants the name of a capability of this service here");
    else if (own.source.kind === "service")
      findings.reportWrong(path, "upstream refuses to export what another service exports");
    else if (seen.has(value)) findings.reportWrong(path, "upstream refuses a name that stands twice");
    else seen.add(value);
  }
  return [...seen];
}

const CAP_KEYS = ["name", "source", "expectedInterfaceId", "badge", "disclosureScope"];

function readCap(at: ValueAt<CueValue>, kinds: readonly ("kernel" | "service")[], findings: Findings): Cap | undefined {
  const read = new CueRecord(at, CAP_KEYS, findings);
  const name = read.requireText("name");
  const source = readSource(read, kinds, findings);
  const badge = read.number("badge") ?? 0n;
  const told = read.readTexts("disclosureScope").map(({ path, value }) => {
    const known = DISCLOSURES.find((word) => word === value);
    if (known === undefined) findings.reportWrong(path, `upstream knows ${DISCLOSURES.join(", ")}`);
    return known;
  });
  const expected = read.number("expectedInterfaceId");
  if (name === undefined || source === undefined) return undefined;
  checkInterface(read, source, expected, findings);
  return { path: at.path, name, source, badge, discloses: DISCLOSURES.filter((word) => told.includes(word)) };
}

/**
 * Checks the interface id that a grant expects, if it states one. A grant from the kernel must expect the interface
 * that the kernel has for it. A grant from a service must expect 0.
 */
function checkInterface(
  read: CueRecord,
  source: Cap["source"],
  expected: bigint | undefined,
  findings: Findings,
): void {
  const meant = source.kind === "kernel" ? source.kernel.interfaceId : 0n;
  if (expected === undefined || expected === meant) return;
  const path = `${read.path}.expectedInterfaceId`;
  if (source.kind === "kernel")
    findings.reportWrong(path, `upstream wants 0x${meant.toString(16)} of ${source.kernel.name}`);
  else findings.reportUnsayable(path, "a grant of a service says nothing of upstream's interfaces", "leave it out");
}

function readSource(read: CueRecord, kinds: readonly string[], findings: Findings): Cap["source"] | undefined {
  const at = read.requireValue("source");
  if (at === undefined) return undefined;
  const source = new CueRecord(at, kinds, findings);
  if (source.has("kernel") && source.has("service")) {
    findings.reportWrong(at.path, "upstream wants one of `kernel` and `service`, and there are both");
    return undefined;
  }
  const service = source.getValue("service");
  return service === undefined ? readKernel(source, findings) : exportOf(service, findings);
}

function readKernel(source: CueRecord, findings: Findings): Cap["source"] | undefined {
  const word = source.requireText("kernel");
  const kernel = word === undefined ? undefined : findKernelSource(word);
  if (word !== undefined && kernel === undefined)
    findings.reportWrong(`${source.path}.kernel`, "upstream's kernel has no source of this name");
  return kernel && { kind: "kernel", kernel };
}

function exportOf(at: ValueAt<CueValue>, findings: Findings): Cap["source"] | undefined {
  const read = new CueRecord(at, ["service", "export"], findings);
  const [service, name] = [read.requireText("service"), read.requireText("export")];
  return service === undefined || name === undefined ? undefined : { kind: "service", service, export: name };
}

function checkNames({ initBinary, init, services }: Graph, findings: Findings): void {
  if (init.length === 0)
    findings.reportUnsayable(
      "$.initConfig.init",
      "the first process of a page holds something",
      "give it what it starts services with",
    );
  for (const { path, name } of init) {
    if (!/^\S+$/.test(name))
      findings.reportUnsayable(`${path}.name`, "a word of `init` has no blanks in it", "give it a name of one word");
  }
  for (const { path, name } of services) {
    if (!isPageName(name)) findings.reportUnsayable(`${path}.name`, "it is no name of a page", PAGE_NAME);
  }
  const named = new Map<string, Service>();
  for (const service of services) {
    if (named.has(service.name))
      findings.reportWrong(`${service.path}.name`, "upstream refuses a second service of this name");
    else named.set(service.name, service);
  }
  if (initBinary !== INIT)
    findings.reportUnsayable(
      "$.initConfig.init.binary",
      "the first process of a page's system is the kernel's own",
      "write `init`, as upstream's documentation asks for",
    );
  for (const { path, source } of services.flatMap(({ caps }) => caps)) {
    if (source.kind === "service" && named.get(source.service)?.exports.includes(source.export) !== true)
      findings.reportWrong(
        `${path}.source.service`,
        "upstream wants a service that is there, and a thing that it exports",
      );
  }
}
