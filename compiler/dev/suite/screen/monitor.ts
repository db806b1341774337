// Talks to QEMU's monitor for programs (QMP): it sends each command after the response to the previous one.

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { getField } from "../report.ts";

export interface Monitor {
  /** Sends a command. Fails if QEMU refuses the command, or has ended. */
  readonly order: (name: string, words?: object) => Promise<unknown>;
  /** Sends a command of QEMU's monitor for people (HMP), and returns its output. */
  readonly human: (line: string) => Promise<string>;
  /** Names of all events so far. If an event has a reason, the text contains the reason too. */
  readonly events: readonly string[];
}

/** Opens the monitor. `heard` is the output of QEMU, and ends when QEMU ends. */
export async function openMonitor(heard: Readable, say: (line: string) => void): Promise<Monitor> {
  const lines = createInterface({ input: heard })[Symbol.asyncIterator]();
  const events: string[] = [];
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("QEMU's monitor has gone");
    return JSON.parse(value);
  };
  const order = async (name: string, words: object = {}): Promise<unknown> => {
    say(`${JSON.stringify({ execute: name, arguments: words })}\n`);
    for (;;) {
      const said = await next();
      const [error, event] = [getField(said, "error"), getField(said, "event")];
      if (error !== undefined) throw new Error(`QEMU refuses ${name}: ${getField(error, "desc")}`);
      // QEMU also sends events, such as `STOP`. An event is not the answer to this command, so it is only recorded.
      if (event === undefined) return getField(said, "return");
      events.push([event, getField(getField(said, "data"), "reason")].filter((word) => word !== undefined).join(" "));
    }
  };
  await next();
  await order("qmp_capabilities");
  const human = async (line: string): Promise<string> =>
    String(await order("human-monitor-command", { "command-line": line }));
  return { order, human, events };
}
