// Tests of the container recipe without a container engine. They parse the recipe by Docker's rules, detect errors that
// builders would report, and check that its inputs exist. The test pack.test.ts runs the program that the container
// starts.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const TEXT = readFileSync(new URL("Containerfile", import.meta.url), "utf8");
const INSTRUCTIONS = DockerfileParser.parse(TEXT).getInstructions();
const wordsOf = (name: string): string[][] =>
  INSTRUCTIONS.filter((each) => each.getInstruction() === name).map((each) =>
    each.getExpandedArguments().map((word) => word.getValue()),
  );

test("Docker's parser accepts the recipe, and refuses an invalid recipe", () => {
  expect(validate(TEXT)).toEqual([]);
  expect(validate(TEXT.replace("WORKDIR /work", "WORKDIR"))).not.toEqual([]);
});

test("each base image is pinned by release, and a build argument can replace it", () => {
  const bases = wordsOf("ARG").map(([word = ""]) => word);
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(/^[A-Z]+=docker\.io\/library\/[a-z]+:\d+\.\d+[\w.-]*$/);
  expect(wordsOf("FROM").map(([base]) => base)).toEqual(bases.map((base) => base.replace(/^.*=/, "")));
});

test("each copied file exists or is made by `make pack`, and is part of the build context", () => {
  const sources = wordsOf("COPY")
    .filter((words) => words.length > 0 && !words.includes("/opt/capc"))
    .flatMap((words) => words.slice(0, -1));
  expect(sources).toEqual(["package.json", "package-lock.json", ".npmrc", "build/package/"]);
  for (const source of sources.slice(0, -1)) expect(existsSync(join(CHECKOUT, source))).toBe(true);
  expect(readFileSync(join(CHECKOUT, "compiler/dev/pack/main.ts"), "utf8")).toContain('join(BUILT, "package")');
  const ignored = readFileSync(new URL("Containerfile.dockerignore", import.meta.url), "utf8").split("\n");
  for (const source of sources) expect(ignored).toContain(`!${source.replace(/\/$/, "")}`);
});

test("the container runs as an unprivileged user that writes only to its home", () => {
  expect(wordsOf("USER")).toEqual([["65532:65532"]]);
  expect(wordsOf("ENV")).toEqual([["HOME=/tmp"]]);
});
