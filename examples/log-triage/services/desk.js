// The desk: open tickets in one file of the directory that the page gives it.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Tickets by number, in the order in which they were opened, and how many there ever were. */
function read(directory) {
  const file = join(directory, "tickets.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { opened: 0, tickets: [] };
}

/** Beside it first: a process may be killed at any time. */
function write(directory, desk) {
  const file = join(directory, "tickets.json");
  writeFileSync(`${file}.new`, `${JSON.stringify(desk)}\n`);
  renameSync(`${file}.new`, file);
}

export default {
  async open({ title, words }, { directory }) {
    const { opened, tickets } = read(directory);
    const number = opened + 1;
    write(directory, { opened: number, tickets: [...tickets, { number, title, words }] });
    return { number };
  },

  async list(_, { directory }) {
    return { tickets: read(directory).tickets.map(({ number, title }) => `${number} ${title}`) };
  },

  async close({ number }, { directory }) {
    const { opened, tickets } = read(directory);
    if (!tickets.some((ticket) => ticket.number === number)) throw new Error(`there is no ticket ${number}`);
    write(directory, { opened, tickets: tickets.filter((ticket) => ticket.number !== number) });
    return {};
  },
};
