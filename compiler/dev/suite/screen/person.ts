// A person before the screen: sees what stands there, waits for it, and presses keys one after the other.

import { setTimeout } from "node:timers/promises";
import { findKeys } from "./keys.ts";
import type { Monitor } from "./monitor.ts";
import type { ReadScreen } from "./screens.ts";

/** How often it is looked at what stands there. */
const LOOK_MS = 200;
/** For how long a key is held: a keyboard takes no second one meanwhile. */
const HELD_MS = 20;

export interface Person {
  /** Until this holds of the rows; gives them. Fails with what stood there last where the machine has ended before. */
  readonly sees: (what: string, holds: (rows: readonly string[]) => boolean) => Promise<readonly string[]>;
  /** Each character stands on the screen, once, before the next is typed. */
  readonly types: (line: string) => Promise<void>;
  readonly presses: (...keys: readonly string[]) => Promise<void>;
}

export function createPerson(monitor: Monitor, read: ReadScreen): Person {
  const waitForRows: Person["sees"] = async (what, holds) => {
    let rows: readonly string[] = [];
    for (;;) {
      try {
        rows = await read(monitor);
      } catch (error) {
        throw new Error(`it never shows ${what}:\n${rows.join("\n").trim()}\n${error}`);
      }
      if (holds(rows)) return rows;
      await setTimeout(LOOK_MS);
    }
  };
  const pressKeys: Person["presses"] = async (...keys) => {
    const pressed = keys.map((data) => ({ type: "qcode", data }));
    await monitor.order("send-key", { keys: pressed, "hold-time": HELD_MS });
  };
  const typeLine: Person["types"] = async (line) => {
    const before = getLastRow(await read(monitor));
    for (let typed = 1; typed <= line.length; typed++) {
      const character = line.charAt(typed - 1);
      const keys = findKeys(character);
      if (keys === undefined) throw new Error(`no key makes ${character}`);
      await pressKeys(...keys);
      const wanted = `${before} ${line.slice(0, typed)}`.trimEnd();
      let row = getLastRow(await waitForRows(wanted, (rows) => getLastRow(rows).startsWith(wanted)));
      // On a host with other work a key is let go late, and the kernel has repeated it by then.
      while (row.length > wanted.length) {
        const longer = row;
        await pressKeys("backspace");
        row = getLastRow(
          await waitForRows(wanted, (rows) => getLastRow(rows) !== longer && getLastRow(rows).startsWith(before)),
        );
        if (!row.startsWith(wanted)) throw new Error(`${row} is not what was typed: ${wanted}`);
      }
    }
    await pressKeys("ret");
  };
  return { sees: waitForRows, types: typeLine, presses: pressKeys };
}

/** The last one on which something stands. */
export function getLastRow(rows: readonly string[]): string {
  return rows.findLast((row) => row !== "") ?? "";
}
