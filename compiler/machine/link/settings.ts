// Parses the settings of the network of a machine that `capc run` boots: the lease time of the machine's address, names with their
// addresses, and the protocol for names. README.md describes the format. Parsing does not start any server.

import { formatAddress, parseAddress } from "../../../engine/lib/reach/address.ts";
import { isHostName } from "../../../engine/lib/reach/host-name.ts";
import { findUnseen } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { readText } from "../../host/files.ts";

export interface LinkSettings {
  /** Seconds for which the machine's address is leased; by default QEMU's value, which is a day. */
  readonly leaseSeconds?: number;
  /** Names in lower case, with their IPv4 addresses. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether the name server answers over UDP alone. */
  readonly namesOverUdp?: true;
}

/** The path of a settings file, and its parsed settings. */
export interface LinkFile {
  readonly file: string;
  readonly settings: LinkSettings;
}

/**
 * Reads the file of settings; returns `undefined` without one. On failure, returns the faults, one sentence each, and the
 * exit status: 3 if unreadable, 2 if invalid.
 */
export function openLink(
  file: string | undefined,
): LinkFile | undefined | { readonly faults: readonly string[]; readonly status: 2 | 3 } {
  if (file === undefined) return undefined;
  const text = readText(file);
  if (!text.ok) return { faults: [`capc run: ${text.reason}`], status: 3 };
  const settings = readLinkSettings(text.value);
  return "names" in settings ? { file, settings } : { faults: settings.map((fault) => `${file}:${fault}`), status: 2 };
}

/**
 * First bytes of the addresses 8.0.0.0 to 15.255.255.255, which QEMU's network also has if the file has names. The web
 * server is reachable at the named addresses in this range.
 */
const REACHED = [8, 15] as const;

const OVER_UDP = "names over udp";

/** Parses the settings. If lines are malformed, reports each of them with its number. */
export function readLinkSettings(text: string): LinkSettings | readonly string[] {
  const names = new Map<string, string>();
  const faults: string[] = [];
  const source = createSourceText("", text);
  const unseen = findUnseen(source);
  if (unseen !== undefined) faults.push(`${source.position(unseen.span.start).line}: ${unseen.message}`);
  let leaseSeconds: number | undefined;
  let namesOverUdp = false;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [, seconds] = /^lease ([1-9]\d{0,6}) s$/.exec(line) ?? [];
    const [, name = "", to = ""] = /^name (\S+) (\S+)$/.exec(line) ?? [];
    const address = parseAddress(to);
    if (seconds !== undefined) leaseSeconds = Number(seconds);
    else if (line === OVER_UDP) namesOverUdp = true;
    else if (isHostName(name) && address !== undefined) names.set(name, formatAddress(address));
    else faults.push(`${index + 1}: a line is 'lease SECONDS s', 'name NAME ADDRESS' or '${OVER_UDP}'`);
  }
  if (faults.length > 0) return faults;
  return { names, ...(leaseSeconds === undefined ? {} : { leaseSeconds }), ...(namesOverUdp ? { namesOverUdp } : {}) };
}

/** Returns the addresses that the settings give to names, and at which the web server is reachable too. */
export function listServedAddresses({ names }: LinkSettings): readonly string[] {
  const isReached = (address: string): boolean => {
    const first = parseAddress(address)?.[0] ?? 0;
    return first >= REACHED[0] && first <= REACHED[1] && !address.startsWith("10.0.2.");
  };
  return [...new Set(names.values())].filter(isReached).sort();
}
