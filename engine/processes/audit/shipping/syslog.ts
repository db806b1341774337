// Renders records for a syslog collector as RFC 5424 messages, with the same content as OTLP's records.

import type { VerifiedRecord } from "../verify.ts";
import { type Fact, isWarning, type Origin, recordFacts } from "./otlp.ts";

/** "Log audit" among RFC 5424's facilities. */
const FACILITY = 13;
const [WARNING, INFORMATIONAL] = [4, 6];
/**
 * Name of the part of a syslog message that has capc's attributes. Its enterprise number is one that RFC 5612 reserves
 * for examples and documentation, because capc has no registered number.
 */
const ELEMENT = "capos@32473";
const PROGRAM = "capos-audit";
const NOTHING = "-";
const LONGEST_HOST = 64;
/** Most characters of one value: names of a page are far shorter, and a message has to stay below 2 KiB. */
const LONGEST_VALUE = 80;
/** The last moment that a year of four digits can express. */
const LAST_MS = 253_402_300_799_999n;

export function renderMessages(found: readonly VerifiedRecord[], origin: Origin): readonly string[] {
  return found.map((one) => renderMessage(one, origin));
}

function renderMessage(found: VerifiedRecord, { systemId, version, instance, tools }: Origin): string {
  const { wallMs, bootId, entry, writer } = found.record;
  const priority = FACILITY * 8 + (isWarning(entry) ? WARNING : INFORMATIONAL);
  const at = wallMs === 0n || wallMs > LAST_MS ? NOTHING : new Date(Number(wallMs)).toISOString();
  const host = replaceUnprintable(systemId).replaceAll(" ", "-").slice(0, LONGEST_HOST) || NOTHING;
  const boot = Buffer.from(bootId).toString("hex") || NOTHING;
  const facts: readonly Fact[] = [
    ["capos.version", version],
    ["capos.instance", instance],
    ...recordFacts(found, tools),
  ];
  const element = facts.flatMap(([name, value]) =>
    value === "" ? [] : [` ${formatParameterName(name)}="${formatParameterValue(value)}"`],
  );
  const text = `${replaceUnprintable(writer).slice(0, LONGEST_VALUE)}: ${entry.which}`;
  return `<${priority}>1 ${at} ${host} ${PROGRAM} ${boot} ${entry.which} [${ELEMENT}${element.join("")}] ${text}`;
}

function formatParameterName(name: string): string {
  return name.replace(/^capos\./, "");
}

/**
 * Returns the value as it appears between quotes. The three characters that would need an escape are replaced: no name
 * of a page contains them, and the text keeps its length.
 */
function formatParameterValue(value: Fact[1]): string {
  return replaceUnprintable(String(value))
    .slice(0, LONGEST_VALUE)
    .replaceAll(/["\\\]]/g, "?");
}

function replaceUnprintable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
