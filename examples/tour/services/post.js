// The house's post: a program of this package, in a jail of its own, with one directory and nothing else.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const CENTS_PER_20_GRAMS = 85;

async function tray(directory) {
  try {
    return JSON.parse(await readFile(join(directory, "tray.json"), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

export default {
  weigh: ({ grams }) => ({ cents: Math.ceil(grams / 20) * CENTS_PER_20_GRAMS }),
  send: async ({ to, words }, { directory }) => {
    const letters = [...(await tray(directory)), { to, words }];
    await writeFile(join(directory, "tray.new"), JSON.stringify(letters));
    await rename(join(directory, "tray.new"), join(directory, "tray.json"));
    return { number: letters.length };
  },
};
