// Reads the rows of text on the screen of a running machine: from the memory of a graphics card in text mode, or from
// the kernel's memory if the kernel draws the characters. During a reading the machine is paused, so that all rows are
// from the same moment.

import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Monitor } from "./monitor.ts";
import { CELL_BYTES, encodeCells, readRows } from "./text-memory.ts";

/** Returns the rows of the screen; empty while the machine has no screen yet. */
export type ReadScreen = (monitor: Monitor) => Promise<readonly string[]>;

/** Memory of a graphics card in text mode. On a PC with BIOS, the card is in text mode after the start. */
const CARD = { address: 0xb8000, bytes: 0x8000, columns: 80, rows: 25 } as const;
/** Ports of the graphics card: the first port selects a register, the second port is its value. */
const PORTS = { which: 0x3d4, value: 0x3d5 } as const;
/** Registers with the position of the first visible cell. When the screen scrolls, this position changes. */
const FIRST_CELL = { high: 0x0c, low: 0x0d } as const;

/** Returns a reader of the graphics card's memory; `scratch` is the folder for a copy of the bytes. */
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
      // The guest's kernel may be about to write to the register that it selected on the graphics card. So the kernel's
      // selection is restored after the position of the first cell is read.
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

/** Number of rows to read, beginning with the first known row. The conversation of the test fills fewer rows. */
const KEPT_ROWS = 40;

/**
 * Returns a reader of the screen that the kernel keeps in memory. `memory` is the file of the machine's memory. `known`
 * contains the beginnings of two adjacent rows that appear early.
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

/**
 * Pause between two searches in milliseconds. A search reads all of the machine's memory, so the machine needs time to
 * run in between.
 */
const SEARCH_MS = 2000;

interface Kept {
  readonly at: number;
  readonly columns: number;
}

/**
 * Returns the position of the first known row, and the width of the screen. The width is the distance between the two
 * known rows.
 */
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
    // A machine that is off cannot be resumed, so it gets no command.
    if (!monitor.events.some((event) => event.startsWith("SHUTDOWN"))) await monitor.order("cont");
  }
}
