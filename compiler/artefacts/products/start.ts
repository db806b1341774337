// Makes the boot files of an image: for BIOS the kernel and its initrd beside isolinux, for UEFI the kernel and its
// initrd in one program.

import { readFileSync } from "node:fs";
import type { BootFiles } from "../../../engine/image/rootfs/boot-files.ts";
import { buildEsp } from "../../../engine/image/uefi/esp.ts";
import { removeSignatures } from "../../../engine/image/uefi/pe.ts";
import { type SecureBootKey, signProgram } from "../../../engine/image/uefi/sign.ts";
import { assembleUki } from "../../../engine/image/uefi/uki.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { ImagePlan } from "../../../targets/contract/policy.ts";
import type { Start } from "../../../targets/iso/places.ts";

interface StartPlan {
  readonly files: BootFiles;
  readonly firmware: ImagePlan["firmware"];
  readonly systemId: string;
  readonly version: string;
  /** The kernel's parameters, as the signed manifest states them. */
  readonly parameters: readonly string[];
  /** Key that signs the UEFI program, or `undefined` if it stays unsigned. */
  readonly signer: SecureBootKey | undefined;
  /** Signed program that replaces the assembled one, if both are equal apart from the signature. */
  readonly signedProgram: Buffer | undefined;
  /** Folder in which temporary files may be written. */
  readonly scratch: string;
}

/** Returns the boot files of the image for each firmware of the page. Fails if a boot file cannot be made. */
export function startOf(plan: StartPlan): Result<Start> {
  const { files, firmware, parameters: kernelParameters } = plan;
  const { kernel, loader, initrd } = files;
  const bios = firmware.includes("bios") ? { kernel, loader, initrd, kernelParameters } : undefined;
  if (!firmware.includes("uefi")) {
    if (plan.signer !== undefined)
      return refuse("there is no program for UEFI to sign: the page's `firmware` is bios alone");
    return accept({ bios: bios ?? bug("an image for no firmware") });
  }
  const program = assembleProgram(plan);
  const signed = plan.signer === undefined ? undefined : signProgram(program, plan.signer, plan.scratch);
  if (signed?.ok === false) return refuse(signed.reason);
  const fileSystem = buildEsp(signed?.value ?? findSignedProgram(plan, program) ?? program);
  if (!fileSystem.ok) return refuse(fileSystem.reason);
  const uefi = { fileSystem: fileSystem.value };
  return bios === undefined ? accept({ uefi }) : accept({ bios, uefi });
}

function findSignedProgram({ signedProgram }: StartPlan, program: Buffer): Buffer | undefined {
  return signedProgram !== undefined && removeSignatures(signedProgram)?.program.equals(program)
    ? signedProgram
    : undefined;
}

/**
 * Returns the program that UEFI starts. It contains everything that runs before the verified root file system is
 * mounted.
 */
function assembleProgram({ files, parameters: kernelParameters, systemId, version }: StartPlan): Buffer {
  const { initrd } = files;
  const [stub, kernel] = [readFileSync(files.stub), readFileSync(files.kernel)];
  const uki = assembleUki({ stub, kernel, initrd, kernelParameters, systemId, version });
  return uki.ok ? uki.value : bug(`the pinned stub for UEFI cannot be used: ${uki.reason}`);
}
