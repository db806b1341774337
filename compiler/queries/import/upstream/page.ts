// Writes the page of a manifest: its process graph, its people, and the parts from its tables. It writes only checked
// names, numbers and quoted texts, so untrusted text cannot begin a line.

import type { SystemConfig } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { quoteText } from "../../../../lang/format/index.ts";
import type { Cap, Graph, Service } from "./graph.ts";
import { isFileName, isKind, isPageName } from "./names.ts";
import type { Parts, WrittenSession } from "./parts.ts";
import type { Principal } from "./sessions.ts";

/** Interface of a service if the manifest names no interface for it. */
export const PLACEHOLDER = "Echo";

interface Drawn {
  readonly graph: Graph;
  readonly params: SystemConfig;
  readonly parts: Parts;
  readonly boot: string;
  readonly carriesTables: boolean;
}

/** Returns the unformatted text of the page. */
export function drawPage({ graph, params, parts, boot, carriesTables }: Drawn): string {
  const { init, services, exits } = graph;
  const restarts = services
    .filter(({ restart }) => restart !== "never")
    .map(({ name, restart }) => `${name} ${restart}`);
  const image = [
    "target capos",
    `boot ${nameOf(boot)}`,
    ...(init.length === 0 ? [] : [`init ${init.map((cap) => quoteText(initWords(cap))).join(", ")}`]),
    ...(params.hostname === "" ? [] : [`hostname ${quoteText(params.hostname)}`]),
    ...(params.motd === "" ? [] : [`motd ${quoteText(params.motd)}`]),
    `log ${params.logLevel}`,
    ...(restarts.length === 0 ? [] : [`restart ${restarts.map(quoteText).join(", ")}`]),
    ...(exits === "" ? [] : [`exits ${nameOf(exits)}`]),
    ...(carriesTables ? [] : ["tables none"]),
  ];
  const stored = parts.principals.some(({ passphrase }) => passphrase !== "") ? ['storage { disk "capos-data" }'] : [];
  const programs = new Set(services.map(({ name }) => name));
  const others = [...parts.faces]
    .filter(([name]) => !programs.has(name))
    .map(([name, { name: face, label }]) => `service ${nameOf(name)} : ${nameOf(face)} {${label}}`);
  // A rule such as `forbidden *` is an error on a page without tools. So if the manifest has no service, the page gets
  // the service `status`, which has tools. The runtime of capc provides this service, so upstream has no process for
  // it.
  const nobody = services.length + others.length > 0 ? [] : ["service status : Status {}"];
  return `/// What a boot manifest of upstream's says, by capc import upstream.
system ${nameOf(parts.system)} version ${quoteText(parts.version)} {
use std.tools

${[
  ...parts.declarations,
  ...parts.principals.map(renderPrincipal),
  ...services.map((service) => renderService(service, parts)),
  ...others,
  ...nobody,
  ...parts.backends,
  ...parts.sessions.map(renderSession),
  ...stored,
  `image {\n${image.join("\n")}\n}`,
].join("\n\n")}
}
`;
}

/**
 * Returns the name, or a placeholder if a page cannot contain the name. Another finding reports the name, and the rest
 * of the page can still be checked.
 */
function nameOf(name: string): string {
  return isPageName(name) ? name : makePlaceholderName(name);
}

function makePlaceholderName(name: string): string {
  return `unnamed_${Buffer.from(name).toString("hex").slice(0, 32)}`;
}

/**
 * Returns the paths of a principal's keys below the folder of the page. Names of
 * files end with the number of the key, except for the first key.
 */
export function listKeyPaths({ name, keys }: Principal): readonly string[] {
  return keys.map((_, index) => `keys/${nameOf(name)}${index === 0 ? "" : `.${index + 1}`}.pub`);
}

export function makeProgramPath(binary: string): string {
  return `programs/${isFileName(binary) ? binary : makePlaceholderName(binary)}`;
}

function renderPrincipal(principal: Principal): string {
  const proofs = [
    ...listKeyPaths(principal).map((path) => `ssh ${quoteText(path)}`),
    ...(principal.passphrase === "" ? [] : [`passphrase ${quoteText(principal.passphrase)}`]),
  ];
  return `principal ${nameOf(principal.name)} { ${proofs.join(" ")} }`;
}

function renderService(service: Service, { faces }: Parts): string {
  const { name, binary, caps, exports } = service;
  const face = faces.get(name);
  const grants = caps.map((cap) => grantLine(cap, exports.includes(cap.name) ? "exported" : "internal"));
  const label = face === undefined || face.label === "" ? [] : [face.label];
  const lines = [`exec ${quoteText(makeProgramPath(binary))}`, ...label, ...grants];
  return `service ${nameOf(name)} : ${nameOf(face?.name ?? PLACEHOLDER)} {\n${lines.join("\n")}\n}`;
}

function grantLine(cap: Cap, visibility: "exported" | "internal"): string {
  const { source } = cap;
  const words = [
    ...renderHolding(cap),
    ...(source.kind === "service" ? [`export ${source.export}`] : []),
    ...(visibility === "exported" ? ["exported"] : []),
  ];
  const to = source.kind === "kernel" ? `kernel.${renderKernelWord(source.kernel.name)}` : nameOf(source.service);
  return `grant ${to}${words.length === 0 ? "" : ` scope ${words.map(quoteText).join(", ")}`}`;
}

/**
 * Renders a name that follows `kernel.` on a page, such as `console`. A reserved word of the language is put in
 * quotation marks.
 */
function renderKernelWord(name: string): string {
  return isPageName(name) ? name : quoteText(name);
}

function initWords(cap: Cap): string {
  return [getSourceName(cap), ...renderHolding(cap)].join(" ");
}

function getSourceName({ source }: Cap): string {
  return source.kind === "kernel" ? source.kernel.name : source.service;
}

/** Renders a capability as a part of `init` or `grant`. If its name equals the name of its source, it has no `as`. */
function renderHolding(cap: Cap): readonly string[] {
  const { name, badge, discloses } = cap;
  return [
    ...(name === getSourceName(cap) ? [] : [`as ${name}`]),
    ...(badge === 0n ? [] : [`badge ${badge}`]),
    ...discloses.map((word) => `discloses ${word}`),
  ];
}

function renderSession(session: WrittenSession): string {
  const { name, kind, principals, login, loginMs, callMs, turnMs, idleMs, lines } = session;
  const limits = Object.entries({ call: callMs, turn: turnMs, login: loginMs, idle: idleMs }).filter(
    ([, ms]) => BigInt(ms) > 0n,
  );
  const written = [
    `kind ${isKind(kind) ? kind : "guest"}`,
    ...(principals.length === 0 ? [] : [`principals ${principals.map(nameOf).join(", ")}`]),
    ...(login === "none" ? [] : [`login ${login}`]),
    ...lines,
    ...(limits.length === 0
      ? []
      : [`timeout { ${limits.map(([scope, ms]) => `${formatDuration(BigInt(ms))} per ${scope}`).join(" ")} }`]),
  ];
  return `session ${nameOf(name)} {\n${written.join("\n")}\n}`;
}

/** Returns a duration in the largest unit that gives a whole number. */
function formatDuration(ms: bigint): string {
  const [size, unit] = UNITS.find(([each]) => ms % each === 0n) ?? [1n, "ms"];
  return `${ms / size} ${unit}`;
}

const UNITS: readonly (readonly [bigint, string])[] = [
  [60_000n, "min"],
  [1000n, "s"],
];
