// Lists the content of engine/prebuilt by path. `inputs.lock` states the origin of each file.

/** Kinds of machines for images: a virtual machine, which Debian's cloud kernel supports, or a PC, which needs Debian's common kernel. */
export const MACHINES = ["vm", "pc"] as const;
export type Machine = (typeof MACHINES)[number];

/** Kernel modules of one machine, each list in the order in which init loads it. */
interface ModuleLists {
  /**
   * Modules for every start: virtual disks, the file systems of root and data, the quotas on the data disk, device mapper, EFI variables,
   * and a watchdog.
   */
  readonly first: readonly string[];
  /**
   * Drivers of media other than virtual disks; these drivers probe slowly. They are loaded only if no disk that the
   * modules in `first` support contains the image.
   */
  readonly second: readonly string[];
  /** Module for SHA-256 with the processor's own instructions, if the processor has such instructions. */
  readonly sha: readonly string[];
  /** Modules for an encrypted data disk; only images with such a disk contain them. */
  readonly crypt: readonly string[];
  /** Modules for a USB keyboard; only images whose console is the screen contain them. The driver for PS/2 is built into the kernel. */
  readonly keys: readonly string[];
  /** Modules for a network card; only images whose page has a network contain them. */
  readonly net: readonly string[];
}

const VIRTIO = [
  "virtio_ring.ko",
  "virtio.ko",
  "virtio_pci_modern_dev.ko",
  "virtio_pci_legacy_dev.ko",
  "virtio_pci.ko",
  "virtio_blk.ko",
];
const VERITY = ["reed_solomon.ko", "dm-mod.ko", "dm-bufio.ko", "dm-verity.ko"];
/** Modules that count the data of each service on the data disk; ext4 requests them by name. */
const QUOTA = ["quota_tree.ko", "quota_v2.ko"];
const SHA = ["sha256-ssse3.ko"];
const CRYPT = ["dm-crypt.ko", "cryptd.ko", "crypto_simd.ko", "aesni-intel.ko", "ecb.ko", "xts.ko"];
/** Virtual machines have one kind of card; PCs have many, none of which is supported yet. */
const NET: Readonly<Record<Machine, readonly string[]>> = {
  vm: ["failover.ko", "net_failover.ko", "virtio_net.ko"],
  pc: [],
};
/** Modules for the checksums of SCSI and NVMe; the cloud kernel has them built in, or does not need them. */
const INTEGRITY = [
  "crc64.ko",
  "crct10dif_common.ko",
  "crct10dif-pclmul.ko",
  "crct10dif_generic.ko",
  "crc-t10dif.ko",
  "crc64-rocksoft.ko",
  "t10-pi.ko",
];
const USB = ["usb-common.ko", "usbcore.ko", "xhci-hcd.ko", "xhci-pci.ko", "ehci-hcd.ko", "ehci-pci.ko"];
/**
 * Drivers for a USB keyboard, also at old ports: a keyboard is a slow device, and old ports have a separate controller
 * for slow devices.
 */
const KEYS = [...USB, "uhci-hcd.ko", "ohci-hcd.ko", "ohci-pci.ko", "hid.ko", "hid-generic.ko", "usbhid.ko"];

export const MODULES: Readonly<Record<Machine, ModuleLists>> = {
  vm: {
    first: [
      ...VIRTIO,
      ...["crc32c-intel.ko", "libcrc32c.ko", "erofs.ko"],
      ...QUOTA,
      ...VERITY,
      ...["efivarfs.ko", "watchdog.ko", "softdog.ko"],
    ],
    // NVMe is built into the cloud kernel, which has no AHCI and USB drivers at all.
    second: [
      ...["scsi_common.ko", "scsi_mod.ko", "virtio_scsi.ko", "libata.ko", "ata_piix.ko"],
      ...["sd_mod.ko", "cdrom.ko", "sr_mod.ko"],
    ],
    sha: SHA,
    crypt: CRYPT,
    keys: [],
    net: NET.vm,
  },
  pc: {
    first: [
      ...VIRTIO,
      ...["crc32c_generic.ko", "crc32c-intel.ko", "libcrc32c.ko", "erofs.ko"],
      ...["mbcache.ko", "jbd2.ko", "crc16.ko", "ext4.ko"],
      ...QUOTA,
      ...VERITY,
      ...["efivarfs.ko", "watchdog.ko", "i6300esb.ko", "softdog.ko"],
    ],
    second: [
      ...INTEGRITY,
      ...["nvme-core.ko", "nvme.ko"],
      ...["scsi_common.ko", "scsi_mod.ko", "virtio_scsi.ko", "libata.ko", "libahci.ko", "ahci.ko", "ata_piix.ko"],
      ...["sd_mod.ko", "cdrom.ko", "sr_mod.ko"],
      ...USB,
      ...["usb-storage.ko", "uas.ko"],
    ],
    sha: SHA,
    crypt: CRYPT,
    keys: KEYS,
    net: NET.pc,
  },
};

export function listModules(machine: Machine): readonly string[] {
  return [...new Set(Object.values(MODULES[machine]).flat())];
}

/** Folder that the loader of shared libraries searches by default, and the libraries that Node.js requests. */
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
  kernel: (machine: Machine) => `kernel/${machine}/vmlinuz`,
  modules: (machine: Machine) => `kernel/${machine}/modules`,
  libraries: "lib",
  init: "init/capos-init",
  console: "init/capos-console",
  isolinux: { binary: "isolinux/isolinux.bin", module: "isolinux/ldlinux.c32", hybrid: "isolinux/isohdpfx.bin" },
  /** Stub that precedes the kernel in a program for UEFI. */
  stub: "uefi/linuxx64.efi.stub",
} as const;
