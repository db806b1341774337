import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { IMAGE_PATHS, LIMINE_PATHS } from "../contract/artifact.ts";
import { bootTree } from "./boot-tree.ts";
import { renderLimineConf } from "./limine-conf.ts";

const ENTRY = { systemId: "lab", version: "1.2.3", kernel: Buffer.from("kernel"), manifest: Buffer.from("manifest") };
const blake2b = (text: string): string => createHash("blake2b512").update(text).digest("hex");

test("Limine's settings have one entry, which starts at once and states a digest for each of its files", () => {
  expect(renderLimineConf(ENTRY)).toBe(`timeout: 0
editor_enabled: no
hash_mismatch_panic: yes

/lab 1.2.3
    protocol: limine
    path: boot():/boot/kernel#${blake2b("kernel")}
    kernel_path: boot():/boot/kernel#${blake2b("kernel")}
    module_path: boot():/capos/manifest.bin#${blake2b("manifest")}
`);
});

test("BLAKE2b gives the digest of the example in RFC 7693", () => {
  expect(blake2b("abc")).toBe(
    "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
  );
});

test("for any name of a system, Limine's settings have ten lines and one title of limited length", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,200}$/);
  fc.assert(
    fc.property(name, fc.stringMatching(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/), (systemId, version) => {
      const lines = renderLimineConf({ ...ENTRY, systemId, version }).split("\n");
      const titles = lines.filter((line) => line.startsWith("/"));
      expect(lines).toHaveLength(10);
      expect(titles).toHaveLength(1);
      expect(titles[0]?.length).toBeLessThan(64);
    }),
  );
});

test("every file has the path that Limine expects, and a change of the manifest changes only limine.conf among the boot files", () => {
  const limine = {
    "BOOTX64.EFI": Buffer.from("a"),
    "limine-bios-cd.bin": Buffer.from("b"),
    "limine-bios.sys": Buffer.from("c"),
    "limine-uefi-cd.bin": Buffer.from("d"),
  };
  const boot = { kernel: ENTRY.kernel, limine, limineVersion: "" };
  const tree = bootTree({ ...ENTRY, boot });
  expect(new Set(tree.map(({ path }) => path))).toEqual(new Set(Object.values(LIMINE_PATHS)));
  expect(tree.map(({ path }) => path)).not.toContain(IMAGE_PATHS.manifest);
  const other = bootTree({ ...ENTRY, boot, manifest: Buffer.from("another") });
  const changed = tree.filter(({ bytes }, at) => !Buffer.from(bytes).equals(other[at]?.bytes ?? Buffer.alloc(0)));
  expect(changed.map(({ path }) => path)).toEqual([LIMINE_PATHS.settings]);
});
