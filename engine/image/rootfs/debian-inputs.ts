// Lists the files of Debian 12 packages that the image needs, and the licences under which they may be distributed.

import { LIBRARIES, LOADER, listModules, type Machine, PREBUILT } from "./prebuilt.ts";

interface DebianInput {
  /** Path below engine/prebuilt. */
  readonly name: string;
  /**
   * Path in the package. One star matches one folder, whose name contains a version; two stars match any number of
   * folders.
   */
  readonly path: string;
}

export interface DebianPackage {
  /** Debian package; for a kernel, the package that depends on the current kernel. */
  readonly package: string;
  readonly licence: string;
  readonly files: readonly DebianInput[];
}

const makeModuleInput = (machine: Machine, name: string): DebianInput => ({
  name: `${PREBUILT.modules(machine)}/${name}`,
  path: `lib/modules/*/kernel/**/${name}`,
});

const makeLibraryInput = (folder: string, name: string): DebianInput => ({
  name: `${PREBUILT.libraries}/${name}`,
  path: `${folder}/${name}`,
});

const MULTIARCH = "lib/x86_64-linux-gnu";
const FROM_GCC = ["libgcc_s.so.1", "libstdc++.so.6"];
const RUNTIME_EXCEPTION = "GPL-3.0-or-later WITH GCC-exception-3.1";

/** Packages that always depend on Debian's current kernel package. */
export const KERNEL_PACKAGES: Readonly<Record<Machine, string>> = {
  vm: "linux-image-cloud-amd64",
  pc: "linux-image-amd64",
};

const makeKernelPackage = (machine: Machine): DebianPackage => ({
  package: KERNEL_PACKAGES[machine],
  licence: "GPL-2.0-only WITH Linux-syscall-note",
  files: [
    { name: PREBUILT.kernel(machine), path: "boot/vmlinuz-*" },
    ...listModules(machine).map((name) => makeModuleInput(machine, name)),
  ],
});

export const DEBIAN_PACKAGES: readonly DebianPackage[] = [
  makeKernelPackage("vm"),
  makeKernelPackage("pc"),
  {
    package: "libc6",
    licence: "LGPL-2.1-or-later",
    files: [...LIBRARIES.filter((name) => !FROM_GCC.includes(name)), LOADER].map((name) =>
      makeLibraryInput(MULTIARCH, name),
    ),
  },
  { package: "gcc-12-base", licence: RUNTIME_EXCEPTION, files: [] }, // contains the licence of the next two
  { package: "libgcc-s1", licence: RUNTIME_EXCEPTION, files: [makeLibraryInput(MULTIARCH, "libgcc_s.so.1")] },
  {
    package: "libstdc++6",
    licence: RUNTIME_EXCEPTION,
    files: [makeLibraryInput(`usr/${MULTIARCH}`, "libstdc++.so.6")],
  },
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
  {
    package: "systemd-boot-efi",
    licence: "LGPL-2.1-or-later",
    files: [{ name: PREBUILT.stub, path: "usr/lib/systemd/boot/efi/linuxx64.efi.stub" }],
  },
];
