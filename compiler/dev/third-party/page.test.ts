import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { listCommitted } from "./committed.ts";
import { renderThirdParty } from "./page.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const PAGE = readFileSync(join(CHECKOUT, "THIRD-PARTY.md"), "utf8");

test("THIRD-PARTY.md agrees with the lock files", () => {
  expect(PAGE, "run node compiler/dev/third-party/main.ts --write").toBe(renderThirdParty(CHECKOUT));
});

test("each row has a licence, and each committed file in a row exists", () => {
  expect(PAGE).not.toContain("| not stated |");
  const paths = listCommitted(CHECKOUT).map(([path = ""]) => path.replaceAll("`", ""));
  const missing = paths.filter(
    (path) => !existsSync(join(CHECKOUT, path)) && globSync(path, { cwd: CHECKOUT }).length < 1,
  );
  expect(missing).toEqual([]);
});

test("every committed WebAssembly program and every model has a row", () => {
  const found = globSync("{compiler,engine,examples,stdlib,targets}/**/*.{wasm,gguf,gguf.1}", { cwd: CHECKOUT });
  // Matches files that need no row: capc's own weights, weights of random numbers, weights that are broken on purpose,
  // and installed packages.
  const own = /^(?:.*\/node_modules\/|examples\/offline-agent\/models\/|compiler\/rules\/)/;
  const paths = listCommitted(CHECKOUT).map(([path = ""]) => path.replaceAll("`", ""));
  const unlisted = found.filter((file) => !own.test(file) && !paths.some((path) => file.startsWith(path)));
  expect(found.length).toBeGreaterThan(3);
  expect(unlisted).toEqual([]);
});
