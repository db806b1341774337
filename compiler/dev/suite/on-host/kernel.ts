// Gets Debian's kernel for PCs, as a host of Debian 12 runs it, with the modules that a guest and `capc run --on-host` need. An image's own
// kernel is not enough: it has no loop devices, which a host needs for files.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/** Package that depends on the newest kernel of Debian. */
const META = "linux-image-amd64";

/** Modules in the order in which they must be loaded: each module follows the modules that it needs. */
const MODULES = [
  ...["kernel/drivers/virtio/virtio_ring.ko", "kernel/drivers/virtio/virtio.ko"],
  ...["kernel/drivers/virtio/virtio_pci_modern_dev.ko", "kernel/drivers/virtio/virtio_pci_legacy_dev.ko"],
  ...["kernel/drivers/virtio/virtio_pci.ko", "kernel/fs/netfs/netfs.ko", "kernel/fs/fscache/fscache.ko"],
  ...["kernel/net/9p/9pnet.ko", "kernel/net/9p/9pnet_virtio.ko", "kernel/fs/9p/9p.ko"],
  ...["kernel/drivers/block/loop.ko", "kernel/lib/reed_solomon/reed_solomon.ko", "kernel/drivers/md/dm-mod.ko"],
  ...["kernel/drivers/md/dm-bufio.ko", "kernel/drivers/md/dm-verity.ko", "kernel/crypto/crc32c_generic.ko"],
  ...["kernel/lib/libcrc32c.ko", "kernel/fs/erofs/erofs.ko", "kernel/fs/mbcache.ko", "kernel/fs/jbd2/jbd2.ko"],
  ...["kernel/lib/crc16.ko", "kernel/fs/ext4/ext4.ko", "kernel/fs/quota/quota_tree.ko", "kernel/fs/quota/quota_v2.ko"],
];

interface DebianKernel {
  readonly version: string;
  /** Path of the kernel. */
  readonly kernel: string;
  /** Modules in the order of loading. */
  readonly modules: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/**
 * Downloads the kernel and unpacks it into `folder`, unless the folder already contains it. Throws if Debian's mirror
 * cannot be reached.
 */
export function fetchDebianKernel(folder: string): DebianKernel {
  const told = execFileSync("apt-cache", ["depends", "--important", META], { encoding: "utf8" });
  const [, name] = /Depends: (linux-image-(\S+))/.exec(told) ?? [];
  if (name === undefined) throw new Error(`apt does not know ${META}: ${told}`);
  const unpacked = join(folder, name);
  if (!existsSync(unpacked)) unpack(name, folder, unpacked);
  const version = name.slice("linux-image-".length);
  const modules = MODULES.map((path) => ({
    name: basename(path),
    bytes: readFileSync(join(unpacked, "lib/modules", version, path)),
  }));
  return { version, kernel: join(unpacked, "boot", `vmlinuz-${version}`), modules };
}

function unpack(name: string, folder: string, to: string): void {
  const scratch = `${to}.new`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(join(scratch, "package"), { recursive: true });
  execFileSync("apt-get", ["download", "-q", name], { cwd: join(scratch, "package"), stdio: "inherit" });
  const [file = ""] = readPackages(join(scratch, "package"));
  execFileSync("dpkg-deb", ["-x", file, join(scratch, "files")]);
  mkdirSync(folder, { recursive: true });
  renameSync(join(scratch, "files"), to);
  rmSync(scratch, { recursive: true });
}

function readPackages(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
