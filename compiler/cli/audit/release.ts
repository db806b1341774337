// Implements `capc audit release`: tells the machine that a person has an export of its log. The machine releases the exported segments
// at its next start, if the page allows it. Only one block is written, which no record uses.

import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { LAST_BLOCKS, readReleaseBlock } from "../../../engine/processes/audit/batches.ts";
import { BLOCK_BYTES, isBlank } from "../../../engine/processes/audit/block.ts";
import { KEPT_SEGMENTS } from "../../../engine/processes/audit/chain.ts";
import { type ExportedThrough, encodeReleaseBlock } from "../../../engine/processes/audit/release-block.ts";
import { findKeyMismatch, type Verdict } from "../../../engine/processes/audit/verify.ts";
import type { World } from "../../host/world.ts";
import { verifyExport } from "./exported.ts";
import { isDisk, type LogSource, useLog, writeBlock } from "./log-source.ts";
import { describeDamage, read } from "./reading.ts";
import { encodeHex } from "./record-text.ts";

/**
 * Compares an export with the log, and writes to the disk which record is the last one that the log may release.
 * Returns `undefined` if the user interrupts, and throws errors of the operating system.
 */
export async function recordExport(
  log: LogSource,
  exported: string,
  world: Pick<World, "interrupted">,
): Promise<Result<ExportedThrough> | undefined> {
  if (!isDisk(log)) return refuse(`${log.path} is a copy of a log; name the data disk`);
  const verdict = await read(log, world, () => {});
  if (verdict === undefined) return undefined;
  const damage = describeDamage(verdict) ?? findKeyMismatch(verdict, "disk");
  if (damage !== undefined) return refuse(`${log.path}: ${damage}`);
  const through = findExported(verdict, exported);
  if (!through.ok) return through;
  const isFree = await useLog(log, (bytes) => {
    const from = bytes.size - LAST_BLOCKS * BLOCK_BYTES;
    return readReleaseBlock(bytes) !== undefined || isBlank(Buffer.concat([...bytes.chunks(from, from + BLOCK_BYTES)]));
  });
  if (!isFree) return refuse(`${log.path}: the log is full, and its last block holds a record`);
  writeBlock(log, log.size - LAST_BLOCKS * BLOCK_BYTES, encodeReleaseBlock(through.value));
  return through;
}

/**
 * Returns the last record of the newest whole segment that the export contains. The newest segments of a log do not count, because a
 * log never releases them.
 */
function findExported({ chain, beyond }: Verdict, path: string): Result<ExportedThrough> {
  const ends = chain.segments
    .slice(1, Math.max(1, chain.segments.length - KEPT_SEGMENTS + 1))
    .map(({ sequence, previous }) => ({ sequence: sequence - 1n, hash: previous }));
  if (ends.length === 0)
    return refuse("the log has no old segment yet: nothing is released before its third one begins");
  const found = new Set<bigint>();
  const hashes = new Map(ends.map(({ sequence, hash }) => [sequence, encodeHex(hash)]));
  const { fault, first } = verifyExport(path, (sequence, hash) => {
    if (hashes.get(sequence) === encodeHex(hash)) found.add(sequence);
  });
  if (fault !== undefined) return refuse(`${path} is damaged in line ${fault.line}: ${fault.reason}`);
  const oldest = (beyond?.sequence ?? 0n) + 1n;
  if (first === 0n || first > oldest)
    return refuse(`${path} begins at record ${first}, and the log at record ${oldest}; export the log from there on`);
  const through = ends.findLast(({ sequence }) => found.has(sequence));
  return through === undefined
    ? refuse(`${path} does not contain the first segment of this log, up to record ${ends[0]?.sequence}`)
    : accept(through);
}
