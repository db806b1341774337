// Which files of which Debian 12 packages the image needs, and under what terms they may be passed on.

import { FIRST_MODULES, LIBRARIES, LOADER, PREBUILT, SECOND_MODULES } from "./prebuilt.ts";

export interface DebianInput {
  /** Place below engine/prebuilt. */
  readonly name: string;
  /** Path in the package; a star stands for one folder, whose name has a version in it. */
  readonly path: string;
}

export interface DebianPackage {
  /** For the kernel: the package that depends on the current one. */
  readonly package: string;
  readonly licence: string;
  readonly files: readonly DebianInput[];
}

const KERNEL_FOLDERS: Readonly<Record<string, string>> = {
  "virtio_blk.ko": "drivers/block",
  "crc32c-intel.ko": "arch/x86/crypto",
  "libcrc32c.ko": "lib",
  "erofs.ko": "fs/erofs",
  "dm-mod.ko": "drivers/md",
  "scsi_common.ko": "drivers/scsi",
  "scsi_mod.ko": "drivers/scsi",
  "sr_mod.ko": "drivers/scsi",
  "libata.ko": "drivers/ata",
  "ata_piix.ko": "drivers/ata",
  "cdrom.ko": "drivers/cdrom",
};

const VIRTIO_FOLDER = "drivers/virtio";

const module = (name: string): DebianInput => ({
  name: `${PREBUILT.modules}/${name}`,
  path: `lib/modules/*/kernel/${KERNEL_FOLDERS[name] ?? VIRTIO_FOLDER}/${name}`,
});

const library = (folder: string, name: string): DebianInput => ({
  name: `${PREBUILT.libraries}/${name}`,
  path: `${folder}/${name}`,
});

const MULTIARCH = "lib/x86_64-linux-gnu";
const FROM_GCC = ["libgcc_s.so.1", "libstdc++.so.6"];
const RUNTIME_EXCEPTION = "GPL-3.0-or-later WITH GCC-exception-3.1";

export const KERNEL_PACKAGE = "linux-image-cloud-amd64";

export const DEBIAN_PACKAGES: readonly DebianPackage[] = [
  {
    package: KERNEL_PACKAGE,
    licence: "GPL-2.0-only WITH Linux-syscall-note",
    files: [{ name: PREBUILT.kernel, path: "boot/vmlinuz-*" }, ...[...FIRST_MODULES, ...SECOND_MODULES].map(module)],
  },
  {
    package: "libc6",
    licence: "LGPL-2.1-or-later",
    files: [...LIBRARIES.filter((name) => !FROM_GCC.includes(name)), LOADER].map((name) => library(MULTIARCH, name)),
  },
  { package: "gcc-12-base", licence: RUNTIME_EXCEPTION, files: [] }, // has the terms of the next two
  { package: "libgcc-s1", licence: RUNTIME_EXCEPTION, files: [library(MULTIARCH, "libgcc_s.so.1")] },
  { package: "libstdc++6", licence: RUNTIME_EXCEPTION, files: [library(`usr/${MULTIARCH}`, "libstdc++.so.6")] },
  {
    package: "isolinux",
    licence: "GPL-2.0-or-later",
    files: [
      { name: PREBUILT.isolinux.binary, path: "usr/lib/ISOLINUX/isolinux.bin" },
      { name: PREBUILT.isolinux.hybrid, path: "usr/lib/ISOLINUX/isohdpfx.bin" },
    ],
  },
  {
    package: "syslinux-common",
    licence: "GPL-2.0-or-later",
    files: [{ name: PREBUILT.isolinux.module, path: "usr/lib/syslinux/modules/bios/ldlinux.c32" }],
  },
];
