// The service `books` of the page: petty cash in one file of its directory. The runtime has checked arguments against
// ledger.capnp before a function is called, and checks what it gives. It has no network and sees no other file.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** `made` counts all payments that there ever were: what was taken back leaves no id for another one. */
const BEGINNING = { left: { travel: 50_000, coffee: 4_200 }, made: 0, payments: [] };

async function read(directory) {
  try {
    return JSON.parse(await readFile(join(directory, "book.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return BEGINNING;
    throw new Error("the book cannot be read");
  }
}

/** Beside the old one first: a crash leaves one of the two, whole. */
async function write(directory, book) {
  await writeFile(join(directory, "book.next"), JSON.stringify(book), { flush: true });
  await rename(join(directory, "book.next"), join(directory, "book.json"));
}

/** One change after the other: calls may come at the same time. */
let last = Promise.resolve();
function inTurn(change) {
  const done = last.then(change);
  last = done.catch(() => {});
  return done;
}

export default {
  async balance({ account }, { directory }) {
    const { left } = await read(directory);
    return { cents: left[account] };
  },

  async history({ account, most = 10 }, { directory }) {
    const { payments } = await read(directory);
    const own = payments.filter((payment) => payment.account === account).reverse();
    return { entries: own.slice(0, most).map(({ id, payee, cents, memo }) => ({ id, payee, cents, memo })) };
  },

  pay({ account, payee, cents, memo = "" }, { directory }) {
    return inTurn(async () => {
      const { left, made, payments } = await read(directory);
      if (left[account] < cents) throw new Error(`${account} holds ${left[account]} cents only`);
      const id = `p${made + 1}`;
      const paid = { ...left, [account]: left[account] - cents };
      const payment = { id, account, payee: payee.name, cents, memo };
      await write(directory, { left: paid, made: made + 1, payments: [...payments, payment] });
      return { id, left: paid[account] };
    });
  },

  refund({ id }, { directory }) {
    return inTurn(async () => {
      const { left, made, payments } = await read(directory);
      const found = payments.find((payment) => payment.id === id);
      if (found === undefined) throw new Error(`there is no payment ${id}`);
      const back = { ...left, [found.account]: left[found.account] + found.cents };
      await write(directory, { left: back, made, payments: payments.filter((payment) => payment !== found) });
      return { left: back[found.account] };
    });
  },
};
