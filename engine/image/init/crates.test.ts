import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CargoMetadata, findLinkedCrates, parseChecksums } from "./crates.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const listed: readonly { name: string; version: string; licence: string; sha256: string }[] = JSON.parse(
  read("../../prebuilt/licences/crates.json"),
);

test("Cargo.lock pins the checksum of each crate that ships, and its licence text ships with it", () => {
  const pinned = parseChecksums(read("Cargo.lock"));
  const terms = read("../../prebuilt/licences/capos-init.txt");
  expect(listed.length).toBeGreaterThan(30);
  for (const { name, version, licence, sha256 } of listed) {
    expect([name, pinned.get(`${name} ${version}`)]).toEqual([name, sha256]);
    expect(terms).toContain(`${name} ${version}: ${licence}\n`);
  }
});

test("lists every crate that the programs depend on directly", () => {
  const [, asked = ""] =
    /\[dependencies\]\n([^[]*)/.exec(read("Cargo.toml").replace(/features = \[[^\]]*\]/g, "")) ?? [];
  const names = [...asked.matchAll(/^([\w-]+) = /gm)].map(([, name]) => name);
  expect(names).toContain("aes");
  expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

/** Licences with one condition only: whoever distributes a program must distribute the licence text too. */
const PERMISSIVE = ["MIT", "Apache-2.0", "BSD-3-Clause", "Unicode-3.0", "Zlib", "Unlicense"];

test("each crate has a licence that requires only a notice", () => {
  const words = listed.flatMap(({ licence }) => licence.split(/ OR | AND |[()]/).filter((word) => word !== ""));
  expect(words.filter((word) => !PERMISSIVE.includes(word))).toEqual([]);
});

test("leaves out crates that are only needed to build", () => {
  const crate = (id: string, kind = "lib") => ({
    id,
    name: id,
    version: "1",
    license: "MIT/Apache-2.0",
    manifest_path: `/crates/${id}/Cargo.toml`,
    targets: [{ kind: [kind] }],
  });
  const needs = (pkg: string, ...kinds: (string | null)[]) => ({ pkg, dep_kinds: kinds.map((kind) => ({ kind })) });
  const metadata: CargoMetadata = {
    packages: [crate("us"), crate("b"), crate("a"), crate("macro", "proc-macro"), crate("syn"), crate("tests")],
    resolve: {
      root: "us",
      nodes: [
        { id: "us", deps: [needs("b", "build", null), needs("macro", null), needs("tests", "dev")] },
        { id: "b", deps: [needs("a", null), needs("b", null)] },
        { id: "macro", deps: [needs("syn", null)] },
      ],
    },
  };
  const licence = "MIT OR Apache-2.0";
  expect(findLinkedCrates(metadata)).toEqual([
    { name: "a", version: "1", licence, folder: "/crates/a" },
    { name: "b", version: "1", licence, folder: "/crates/b" },
  ]);
});
