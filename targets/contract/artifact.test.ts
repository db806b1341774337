import { expect, test } from "vitest";
import { findConsole, findUnproved, IMAGE_PATHS, listKernelParameters } from "./artifact.ts";

test("the command line of an image states the number of unproved assertions only if there are unproved assertions", () => {
  for (const console of ["serial", "screen"] as const) {
    const plain = listKernelParameters(console);
    const unproved = listKernelParameters(console, 12);
    expect(unproved.slice(0, -1)).toEqual(plain);
    expect([findUnproved(plain), findUnproved(unproved)]).toEqual([undefined, "12"]);
    expect(listKernelParameters(console, 0)).toEqual(plain);
  }
  // Only a word that begins with `capos.unproved=` states the number of unproved assertions.
  expect(findUnproved(["quiet", "x.capos.unproved="])).toBeUndefined();
});

test("the console is found from the command line of an image; other command lines give `undefined`", () => {
  for (const console of ["serial", "screen"] as const)
    expect([findConsole(listKernelParameters(console)), findConsole(listKernelParameters(console, 3))]).toEqual([
      console,
      console,
    ]);
  expect([findConsole([]), findConsole(["quiet", ...listKernelParameters("serial")])]).toEqual([undefined, undefined]);
});

test("the paths of files contain the name of the service, backend or model, and are all different", () => {
  const makers = Object.values(IMAGE_PATHS).filter((path) => typeof path !== "string");
  const paths = makers.flatMap((path) => ["one", "two"].map((name) => [name, path(name)] as const));
  expect(new Set(paths.map(([, path]) => path)).size).toBe(2 * makers.length);
  for (const [name, path] of paths) expect(path).toMatch(new RegExp(`^/.+/${name}\\.`));
});
