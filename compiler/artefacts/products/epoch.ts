import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { World } from "../../host/world.ts";

/** Latest possible time, the end of 2155: a folder of an ISO 9660 image stores the years since 1900 in one byte. */
const LAST_SECOND = 5_869_583_999;

/**
 * Returns the only time that build products contain, in seconds since 1970: SOURCE_DATE_EPOCH, or 0 if it is not set.
 * Fails if it is not a time up to 2155.
 */
export function readSourceDateEpoch({ environment: { SOURCE_DATE_EPOCH = "0" } }: World): Result<number> {
  const seconds = /^\d{1,10}$/.test(SOURCE_DATE_EPOCH) ? Number(SOURCE_DATE_EPOCH) : undefined;
  if (seconds !== undefined && seconds <= LAST_SECOND) return accept(seconds);
  return refuse(
    `SOURCE_DATE_EPOCH is a whole number of seconds from 0 to ${LAST_SECOND} (the year 2155 is the last that an image can say), not '${SOURCE_DATE_EPOCH.slice(0, 40)}'`,
  );
}
