// What engine/prebuilt holds, by its place there. `inputs.lock` says where each file comes from.

/** Kernel modules in the order in which init loads them. */
export const FIRST_MODULES: readonly string[] = [
  "virtio_ring.ko",
  "virtio.ko",
  "virtio_pci_modern_dev.ko",
  "virtio_pci_legacy_dev.ko",
  "virtio_pci.ko",
  "virtio_blk.ko",
  "crc32c-intel.ko",
  "libcrc32c.ko",
  "erofs.ko",
  "dm-mod.ko",
];

/** Drivers of optical drives: loaded only if no virtual disk holds the image. They probe slowly. */
export const SECOND_MODULES: readonly string[] = [
  "scsi_common.ko",
  "scsi_mod.ko",
  "libata.ko",
  "ata_piix.ko",
  "cdrom.ko",
  "sr_mod.ko",
];

/** Where the loader of shared libraries looks by itself, and what Node asks it for. */
export const LIBRARY_FOLDER = "/lib/x86_64-linux-gnu";
export const LIBRARIES: readonly string[] = [
  "libc.so.6",
  "libdl.so.2",
  "libgcc_s.so.1",
  "libm.so.6",
  "libpthread.so.0",
  "libstdc++.so.6",
];
export const LOADER = "ld-linux-x86-64.so.2";

export const PREBUILT = {
  kernel: "kernel/vmlinuz",
  modules: "kernel/modules",
  libraries: "lib",
  init: "init/capos-init",
  console: "init/capos-console",
  isolinux: { binary: "isolinux/isolinux.bin", module: "isolinux/ldlinux.c32", hybrid: "isolinux/isohdpfx.bin" },
} as const;
