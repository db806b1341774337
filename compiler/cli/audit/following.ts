// Collects the output of `capc audit follow` on a data disk while the machine runs, for the claims of a script.

import { follow } from "./follow.ts";
import { logIn } from "./log-source.ts";
import { renderRecord } from "./record-text.ts";

export interface FollowResult {
  /** The reported records, as `capc audit show` prints them. */
  readonly lines: readonly string[];
  /** Reason why the log could not be followed further. */
  readonly wrong?: string;
}

/**
 * Starts to follow a log. The returned function stops following the log, and returns the records reported until then.
 */
export function startFollowing(disk: string, passphrase: string | undefined): () => Promise<FollowResult> {
  const log = logIn(disk, passphrase);
  if (!log.ok) return async () => ({ lines: [], wrong: log.reason });
  const stop = new AbortController();
  const lines: string[] = [];
  const ended = follow(log.value, { interrupted: stop.signal }, (found) => lines.push(renderRecord(found)));
  return async () => {
    stop.abort();
    const wrong = await ended;
    return { lines, ...(wrong === undefined ? {} : { wrong }) };
  };
}
