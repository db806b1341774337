// Simulates a person at the screen, who reads it, waits for a text, and presses keys one after the other.

import { setTimeout } from "node:timers/promises";
import { findKeys } from "./keys.ts";
import type { Monitor } from "./monitor.ts";
import type { ReadScreen } from "./screens.ts";

/** Interval in milliseconds between two readings of the screen. */
const LOOK_MS = 200;
/** Milliseconds for which a key is pressed. During this time the keyboard accepts no other key. */
const HELD_MS = 20;

export interface Person {
  /**
   * Waits until `holds` is true for the rows of the screen, and returns the rows. If the machine ends first, fails with
   * the last screen.
   */
  readonly sees: (what: string, holds: (rows: readonly string[]) => boolean) => Promise<readonly string[]>;
  /**
   * Types a line. After each key, waits until the character is on the screen. If the kernel has repeated the key,
   * deletes the additional characters.
   */
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
      // On a busy host a key may be released late. Then the guest's kernel has typed its character several times, so
      // the superfluous characters are deleted.
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

/** Matches the console's status line, which stands below the prompt. */
const STATUS = /^\* [^|]+ \| [^|]+ \| /;

/** Returns the last row with text, without the status line. */
export function getLastRow(rows: readonly string[]): string {
  return rows.findLast((row) => row !== "" && !STATUS.test(row)) ?? "";
}
