// Reads the rows of text on the screen of a running machine. The text is in the memory of a card in text mode. If the
// kernel draws the characters itself, the text is in the kernel's memory. The machine is paused during the reading, so
// that all rows belong to one moment.

import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Monitor } from "./monitor.ts";
import { CELL_BYTES, encodeCells, readRows } from "./text-memory.ts";

/** Returns the rows of the screen, which are empty before the screen exists. */
export type ReadScreen = (monitor: Monitor) => Promise<readonly string[]>;

/** Memory of a card in text mode, which every PC with BIOS has when it starts. */
const CARD = { address: 0xb8000, bytes: 0x8000, columns: 80, rows: 25 } as const;
/** I/O ports of the card: the first selects a register, and the second contains that register's value. */
const PORTS = { which: 0x3d4, value: 0x3d5 } as const;
/**
 * Registers that contain the position of the first character on the screen. The screen scrolls when this position
 * changes.
 */
const FIRST_CELL = { high: 0x0c, low: 0x0d } as const;

/** Returns a reader of the card's memory; the folder `scratch` receives the bytes. */
export function createCardReader(scratch: string): ReadScreen {
  const file = join(scratch, "card");
  return (monitor) =>
    runAtRest(monitor, async () => {
      const which = await readPort(monitor, PORTS.which);
      const register = async (wanted: number): Promise<number> => {
        await monitor.human(`o/b ${PORTS.which} ${wanted}`);
        return await readPort(monitor, PORTS.value);
      };
      const first = (await register(FIRST_CELL.high)) * 256 + (await register(FIRST_CELL.low));
      // The reader changed which register is selected. It restores the selection, because the kernel may be about to
      // write to the register that it had selected.
      await monitor.human(`o/b ${PORTS.which} ${which}`);
      await monitor.order("pmemsave", { val: CARD.address, size: CARD.bytes, filename: file });
      const from = first * CELL_BYTES;
      return readRows(readFileSync(file).subarray(from, from + CARD.columns * CARD.rows * CELL_BYTES), CARD.columns);
    });
}

async function readPort(monitor: Monitor, port: number): Promise<number> {
  const said = await monitor.human(`i/b ${port}`);
  const value = Number(/= *(0x[0-9a-f]+)/.exec(said)?.[1]);
  if (Number.isNaN(value)) throw new Error(`QEMU says of port ${port}: ${said}`);
  return value;
}

/** Number of rows to read from the first known row on. The conversation of a test has fewer rows. */
const KEPT_ROWS = 40;

/**
 * Returns a reader of the kernel's memory. `memory` is a file with the machine's memory from address 0 on. `known`
 * contains the beginnings of two adjacent rows, which appear early in the machine's start.
 */
export function createKeptReader(memory: string, known: readonly [string, string]): ReadScreen {
  let found: Kept | undefined;
  return async (monitor) => {
    found ??= find(readFileSync(memory), known);
    const at = found;
    if (at !== undefined) return await runAtRest(monitor, async () => readRows(readPiece(memory, at), at.columns));
    await setTimeout(SEARCH_MS);
    return [];
  };
}

/** Pause in milliseconds between two searches, so that the machine can run: each search reads the whole memory. */
const SEARCH_MS = 2000;

interface Kept {
  readonly at: number;
  readonly columns: number;
}

/** Finds two known rows in the memory; their distance is the width of the screen. */
function find(bytes: Buffer, [first, second]: readonly [string, string]): Kept | undefined {
  const at = bytes.indexOf(encodeCells(first));
  const next = at < 0 ? -1 : bytes.indexOf(encodeCells(second), at);
  return next < 0 ? undefined : { at, columns: (next - at) / CELL_BYTES };
}

function readPiece(memory: string, { at, columns }: Kept): Buffer {
  const bytes = Buffer.alloc(KEPT_ROWS * columns * CELL_BYTES);
  const file = openSync(memory, "r");
  readSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
  return bytes;
}

async function runAtRest<T>(monitor: Monitor, look: () => Promise<T>): Promise<T> {
  await monitor.order("stop");
  try {
    return await look();
  } finally {
    // A machine that is off cannot be resumed.
    if (!monitor.events.some((event) => event.startsWith("SHUTDOWN"))) await monitor.order("cont");
  }
}
