import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { CARGO, describeToolchainDrift, makeCargoEnvironment } from "./toolchain.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

afterEach(() => vi.unstubAllEnvs());

test("reports each changed or missing part of the toolchain, and the version that built the committed programs", () => {
  const locked = { rustc: "rustc 1.96.0", "libc6-dev": "2.36-9" };
  expect(describeToolchainDrift(locked, locked)).toEqual([]);
  expect(describeToolchainDrift(locked, { rustc: "rustc 1.97.0" })).toEqual([
    "rustc is rustc 1.97.0; the committed programs were built with rustc 1.96.0",
    "libc6-dev is absent; the committed programs were built with 2.36-9",
  ]);
});

test("cargo sees the user's registry but none of the user's other Rust settings", () => {
  const settings = [
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "RUSTC_WRAPPER",
    "RUSTC",
    "CARGO_BUILD_TARGET",
    "CARGO_TARGET_DIR",
  ];
  for (const name of [...settings, "CARGO_HOME", "CARGO_REGISTRIES_CRATES_IO_PROTOCOL"]) vi.stubEnv(name, "a user's");
  const found = makeCargoEnvironment({ CARGO_TARGET_DIR: "ours" });
  expect(settings.filter((name) => found[name] === "a user's")).toEqual([]);
  expect(found).toMatchObject({ RUSTC: "/usr/bin/rustc", CARGO_TARGET_DIR: "ours", CARGO_HOME: "a user's" });
  expect(found["CARGO_REGISTRIES_CRATES_IO_PROTOCOL"]).toBe("a user's");
});

test("no file starts a Rust compiler by its bare name, because that would depend on the PATH", () => {
  const files = globSync("{compiler,lang,targets,engine,golden,examples}/**/*.{ts,mjs}", { cwd: CHECKOUT }).filter(
    (path) => !path.includes("node_modules/"),
  );
  const starting = /(spawn|spawnSync|execFile|execFileSync|runHere|execSync)\(\s*["'`](cargo|rustc|rustdoc|rustup)\b/;
  expect(files.length).toBeGreaterThan(1000);
  expect(files.filter((path) => starting.test(readFileSync(join(CHECKOUT, path), "utf8")))).toEqual([]);
  expect(CARGO).toBe("/usr/bin/cargo");
});

test("only the crate that tests against the library of capOS requires a Rust compiler newer than 1.85", () => {
  const manifests = globSync("{compiler,lang,targets,engine}/**/Cargo.toml", { cwd: CHECKOUT })
    .filter((path) => !path.includes("/target/"))
    .sort();
  const versions = manifests.map((path) => [
    path,
    /^rust-version = "([^"]+)"$/m.exec(readFileSync(join(CHECKOUT, path), "utf8"))?.[1],
  ]);
  expect(versions).toEqual([
    ["engine/image/init/Cargo.toml", "1.85"],
    ["engine/lib/wire/oracle/Cargo.toml", "1.85"],
    ["targets/capos-native/oracle/Cargo.toml", "1.88"],
  ]);
});
