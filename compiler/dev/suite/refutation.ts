// Stages of `make test-images` that replay a counterexample on a machine. They build a page whose proof fails
// (`--unproved`), write the counterexample as a script, and play the script on the machine.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boot } from "./boot.ts";
import { CHECKOUT, createClaim, runCapc, type Stage } from "./stage.ts";

/**
 * Page with a refutation: one conversation reads data about people and passes it on, and another conversation receives
 * it.
 */
const PAGE = "compiler/rules/verdicts/flow-leak/bad-across.cap";
const OUT = "build/test/refuted";
const SCRIPT = `${OUT}/refuted.chat`;
const BANNER = "< UNPROVED: assertions of its page that do not hold: 1.";

const runQuietly = (...words: readonly string[]) => runCapc(words, { quiet: true });

const built: Stage = {
  name: "build refuted",
  run: async () => {
    rmSync(join(CHECKOUT, OUT), { recursive: true, force: true });
    mkdirSync(join(CHECKOUT, OUT), { recursive: true });
    return createClaim("build refuted", await runQuietly("build", PAGE, "--unproved", "--out", OUT));
  },
};

/**
 * Stage that writes the script of the counterexample. It expects status 1, which means that the page has a refutation.
 */
const written: Stage = {
  name: "script of refuted",
  run: async () => {
    const ran = await runQuietly("prove", PAGE, "--script", SCRIPT);
    const path = join(CHECKOUT, SCRIPT);
    writeFileSync(path, `${BANNER}\n${readFileSync(path, "utf8")}`);
    return createClaim("script of refuted", { ...ran, status: ran.status === 1 ? 0 : 1 });
  },
};

/**
 * Stage that expects status 2: without the option `--unproved`, `capc run` refuses an image whose proofs have failed, so
 * that nobody boots it by accident.
 */
const refused: Stage = {
  name: "run refuted",
  run: async () => {
    const ran = await runQuietly("run", `${OUT}/system.iso`, "--script", SCRIPT);
    return createClaim("run refuted", { ...ran, status: ran.status === 2 ? 0 : 1 });
  },
};

/** Stages in this order: each needs the files of the previous one. */
export const refutation: readonly Stage[] = [
  built,
  written,
  refused,
  boot(SCRIPT, `${OUT}/system.iso`, ["--unproved"]),
];
