import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { appendSections } from "../../../engine/image/uefi/pe.ts";
import { describeLevel } from "./level.ts";

const STUB = readFileSync(new URL("../../../engine/prebuilt/uefi/linuxx64.efi.stub", import.meta.url));
/**
 * Offset of the directory entry for the certificate table, from the start of the UEFI stub. The entry contains the
 * position and the size of the table.
 */
const CERTIFICATES = STUB.readUInt32LE(0x3c) + 24 + 144;

function programs(): { readonly plain: Buffer; readonly signed: Buffer } {
  const made = appendSections(STUB, [{ name: ".cmdline", bytes: Buffer.from("quiet") }]);
  if (!made.ok) throw new Error(made.reason);
  const signed = Buffer.from(made.value);
  signed.writeUInt32LE(signed.length, CERTIFICATES);
  signed.writeUInt32LE(1400, CERTIFICATES + 4);
  return { plain: made.value, signed };
}

const { plain, signed } = programs();

test("a media-trusted image is described as unable to detect a writer of the medium, and as sealed under Secure Boot if signed", () => {
  const worth = (bios: boolean, program: Buffer | undefined) => describeLevel("media", { bios, program });
  for (const program of [undefined, plain])
    expect(worth(true, program).lines).toEqual([
      "trust   media-trusted: corruption is found, a writer of the medium is not",
    ]);
  expect(worth(true, signed).lines[0]).toContain("; sealed where Secure Boot is on");
  expect(worth(false, signed).facts).toEqual({ trust: "media", startsByBios: false, uefiProgramSigned: true });
  expect([worth(true, undefined), worth(true, plain), worth(false, signed)].flatMap(({ faults }) => faults)).toEqual(
    [],
  );
});

test("a sealed image starts only by UEFI, and its program must be signed", () => {
  const worth = (bios: boolean, program: Buffer | undefined) => describeLevel("sealed", { bios, program });
  expect(worth(false, signed).faults).toEqual([]);
  expect(worth(false, signed).lines[0]).toContain("sealed: it starts only where Secure Boot is on");
  expect(worth(false, plain).faults).toEqual([
    "it asks to be sealed, but its program for UEFI is not signed: Secure Boot does not start it",
  ]);
  expect(worth(true, undefined).faults).toEqual([
    "it asks to be sealed, but BIOS can start it",
    "it asks to be sealed, but there is no program for UEFI in it",
  ]);
  expect(worth(true, signed).faults).toEqual(["it asks to be sealed, but BIOS can start it"]);
  expect(worth(false, Buffer.from("no program")).faults).toHaveLength(1);
});
