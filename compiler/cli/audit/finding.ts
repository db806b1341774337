// Describes the result of verifying a log or an export. The result includes whether the log matches values that the
// user noted elsewhere, such as the hash of a record or the audit key.

import type { LatestSeal } from "../../../engine/processes/audit/seals.ts";
import { encodeHex } from "./record-text.ts";

/** Values that a person noted elsewhere, and whether they match the log. */
export interface TrustAnchors {
  /**
   * Hash that the user noted, and the sequence number of the record with this hash. `known` is `undefined` if the user noted no hash;
   * `sequence` is `undefined` if no record has the hash.
   */
  readonly known: { readonly hash: string; readonly sequence: bigint | undefined } | undefined;
  /** Audit key that the log must have. */
  readonly key: string | undefined;
  /** Comparison of the log with an export of its released records; absent if the user named no export. */
  readonly earlier?: EarlierExport | undefined;
}

/** The result of comparing an export with the beginning of a log. */
export interface EarlierExport {
  /** Reason for which the log does not continue the export; `undefined` if it does. */
  readonly fault: string | undefined;
}

export interface Finding<V> extends TrustAnchors {
  readonly verdict: V;
}

interface Judged {
  /** Place and kind of the damage; `undefined` if the log is not damaged. */
  readonly damage: string | undefined;
  readonly sealed: LatestSeal | undefined;
  /** Reason why the key on the disk is not the key of the log. */
  readonly estranged?: string | undefined;
  /** Sequence number of the last released record; `undefined` if the log has all its records. */
  readonly released?: bigint | undefined;
}

/** Returns the reason why a log is not in order, or `undefined` if it is in order. */
export function explainTrouble(
  { damage, sealed, estranged, released }: Judged,
  { known, key, earlier }: TrustAnchors,
): string | undefined {
  if (damage !== undefined) return `DAMAGED ${damage}`;
  if (estranged !== undefined) return `IN ORDER, BUT NOT ALL OF IT: ${estranged}`;
  if (key !== undefined && key !== renderKey(sealed)) return "IN ORDER, BUT UNDER ANOTHER AUDIT KEY";
  if (earlier?.fault !== undefined) return `IN ORDER, BUT NOT THE REST OF THE EXPORT: ${earlier.fault}`;
  // The oldest records were released. Without their export or a noted hash, the user knows only the audit key, and this
  // does not prove that the remaining records continue the original log.
  if (key !== undefined && released !== undefined && earlier === undefined && known?.sequence === undefined)
    return `IN ORDER, BUT NOT FROM ITS BEGINNING: records up to ${released} were released; name their export with --earlier`;
  return known === undefined || known.sequence !== undefined ? undefined : "IN ORDER, BUT NOT THE LOG THAT WAS NOTED";
}

export function renderKey(sealed: LatestSeal | undefined): string {
  return sealed === undefined ? "none" : encodeHex(sealed.auditKey);
}

/** Describes the newest seal; `last` is the sequence number of the newest record. */
export function sealLines(sealed: LatestSeal | undefined, last: bigint): readonly string[] {
  if (sealed === undefined) return ["sealed: nothing"];
  const behind = last - sealed.sequence;
  const open = behind === 0n ? "" : `; ${behind} records behind it are under no seal yet`;
  return [`audit key: ${renderKey(sealed)}`, `sealed: up to record ${sealed.sequence}, by seal ${sealed.epoch}${open}`];
}

/** Returns the newest seal as a value for JSON; `null` if there is none. */
export function sealAsJson(sealed: LatestSeal | undefined): object | null {
  return sealed === undefined ? null : { key: renderKey(sealed), epoch: sealed.epoch, sequence: sealed.sequence };
}

export function convertKnownToJson({ known }: TrustAnchors): object | null {
  return known === undefined ? null : { ...known, sequence: known.sequence ?? null };
}
