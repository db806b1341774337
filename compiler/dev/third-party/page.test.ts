import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listCommitted } from "./committed.ts";
import { renderThirdParty } from "./page.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const PAGE = readFileSync(join(CHECKOUT, "THIRD-PARTY.md"), "utf8");

test("THIRD-PARTY.md is as the lock files say", () => {
  expect(PAGE, "run node compiler/dev/third-party/main.ts --write").toBe(renderThirdParty(CHECKOUT));
});

test("each row has a licence, and each committed file is there", () => {
  expect(PAGE).not.toContain("| not stated |");
  const paths = listCommitted(CHECKOUT).map(([path = ""]) => path.replaceAll("`", ""));
  const missing = paths.filter(
    (path) => !existsSync(join(CHECKOUT, path)) && globSync(path, { cwd: CHECKOUT }).length < 1,
  );
  expect(missing).toEqual([]);
});

test("every committed program of WebAssembly and every model has a row", () => {
  const found = globSync("{compiler,engine,examples,stdlib,targets}/**/*.{wasm,gguf,gguf.1}", { cwd: CHECKOUT });
  // Weights that are joined from their parts, made of random numbers, or broken on purpose.
  const own = /^(?:.*\/node_modules\/|examples\/offline-agent\/models\/|compiler\/rules\/)/;
  const paths = listCommitted(CHECKOUT).map(([path = ""]) => path.replaceAll("`", ""));
  const unlisted = found.filter((file) => !own.test(file) && !paths.some((path) => file.startsWith(path)));
  expect(found.length).toBeGreaterThan(3);
  expect(unlisted).toEqual([]);
});
