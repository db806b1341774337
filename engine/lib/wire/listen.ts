// One side of a connection: it cuts the incoming stream into frames, and ends the connection so that the other side
// sees the end.

import type { Duplex } from "node:stream";
import { type ConnectionEnd, FrameCutter, type MalformedFrameHandler } from "./frame.ts";
import type { Frame } from "./generated/wire.ts";

/**
 * Timeout of a frame in milliseconds, from its first byte. A frame has at most a mebibyte and comes from the same machine, so even
 * a slow frame takes only a second.
 */
const UNFINISHED_MS = 30_000;
/** Milliseconds that a closing connection waits until the peer has read the bytes that were already written. */
const FLUSH_MS = 30_000;

/** Runs a function later, and returns a function that cancels it. Tests pass their own clock. */
export type Scheduler = (ms: number, run: () => void) => () => void;

export const scheduleAfter: Scheduler = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/** Ends the connection from this side. */
export type HangUp = (why: ConnectionEnd) => void;

/** Callbacks for frames and for the end of a stream; `after` sets timers. */
interface Listening {
  readonly take: (frame: Frame) => void;
  readonly stop: (why: ConnectionEnd) => void;
  readonly after?: Scheduler;
  readonly spoiled?: MalformedFrameHandler;
}

/**
 * Listens to a stream, and calls `stop` once with the reason why the stream ended. If a frame cannot be read, but names
 * its call, `spoiled` receives its readable parts. Any other unreadable frame ends the stream. Without `spoiled`, every
 * unreadable frame ends the stream.
 */
export function listen(stream: Duplex, { take, stop, after = scheduleAfter, spoiled }: Listening): HangUp {
  const cutter = new FrameCutter();
  const deadline = new Deadline(after, () =>
    hangUp({ fault: true, reason: "a frame was left unfinished for too long" }),
  );
  let isOver = false;
  const heedSpoiled: MalformedFrameHandler | undefined =
    spoiled &&
    ((remains, reason) => {
      deadline.disarm();
      if (!isOver) spoiled(remains, reason);
    });
  const hangUp = (why: ConnectionEnd) => {
    if (isOver) return;
    isOver = true;
    deadline.disarm();
    stop(why);
    endVisibly(stream, after);
  };
  stream.on("data", (chunk: Uint8Array) => {
    if (isOver) return;
    const wrong = cutter.push(
      chunk,
      (frame) => {
        deadline.disarm();
        if (!isOver) take(frame);
      },
      heedSpoiled,
    );
    if (wrong !== undefined) hangUp({ fault: true, reason: wrong });
    else if (cutter.isWaiting && !isOver) deadline.arm();
  });
  stream.on("end", () => hangUp({ fault: false, reason: "the peer closed the connection" }));
  stream.on("error", (error) => hangUp({ fault: false, reason: `the connection broke: ${error.message}` }));
  stream.on("close", () => hangUp({ fault: false, reason: "the connection is closed" }));
  return hangUp;
}

/** A timeout that counts from the first time that it is armed; arming it again does not extend it. */
class Deadline {
  readonly #after: Scheduler;
  readonly #run: () => void;
  #callOff: (() => void) | undefined;

  constructor(after: Scheduler, run: () => void) {
    this.#after = after;
    this.#run = run;
  }

  arm(): void {
    this.#callOff ??= this.#after(UNFINISHED_MS, this.#run);
  }

  disarm(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }
}

/**
 * Shuts a connection down after the pending writes, and reads no more. Init keeps a duplicate of a provider's descriptor, so the
 * peer would not notice if only our descriptor were closed.
 */
function endVisibly(stream: Duplex, after: Scheduler): void {
  const callOff = after(FLUSH_MS, () => stream.destroy());
  stream.pause();
  stream.end(() => {
    callOff();
    stream.destroy();
  });
}
