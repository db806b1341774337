// Reads and validates the files that start upstream's kernel, which the builder of an image provides. These files are
// read only if an image is made.

import { posix } from "node:path";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { Name } from "../../../lang/tree/index.ts";
import { type BootPlan, LIMINE_FILES, type LimineFile } from "../../../targets/contract/upstream-plan.ts";
import type { BoundImage, Model } from "../../phases/bind/index.ts";
import { outsidePackage } from "../../phases/source/codes.ts";
import { type Host, resolvePackageFile } from "../../phases/source/index.ts";
import { bootIncomplete, kernelUnfit, limineUnfit } from "./codes.ts";
import { findKernelFault, MOST_KERNEL_BYTES } from "./kernel.ts";
import { findLimineFault, getLimineVersion, MOST_LIMINE_BYTES } from "./limine.ts";

export interface BootFiles {
  /** Boot files; absent if they cannot be used, which a diagnostic then reports. */
  readonly boot?: BootPlan;
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_BOOT_FILES: BootFiles = { diagnostics: [] };

/**
 * Reads the boot files; `path` is the root page. For a page without an `image` block it returns no files; another check reports such a
 * page.
 */
export async function readBootFiles(host: Host, path: string, { image }: Model): Promise<BootFiles> {
  const page = await host.realPath(path);
  if (image === undefined || page === undefined) return NO_BOOT_FILES;
  const folder = posix.dirname(page);
  const kernel = await readKernel(host, folder, image);
  const limine = await readLimine(host, folder, image);
  if ("bytes" in kernel && "files" in limine) {
    const { files } = limine;
    return { boot: { kernel: kernel.bytes, limine: files, limineVersion: getLimineVersion(files) }, diagnostics: [] };
  }
  return { diagnostics: [kernel, limine].filter((each) => "code" in each) };
}

type Bytes = { readonly bytes: Uint8Array };

async function readKernel(host: Host, folder: string, { upstream, node }: BoundImage): Promise<Bytes | Diagnostic> {
  const { kernel } = upstream;
  if (kernel === undefined) return bootIncomplete.at(node.span, { what: "a kernel", instead: '`kernel "FILE"`' });
  const read = await readFile(host, { folder, at: kernel, path: kernel.text, most: MOST_KERNEL_BYTES });
  if ("outside" in read) return outsidePackage.at(kernel.span, { path: kernel.text });
  const reason = "reason" in read ? read.reason : findKernelFault(read.bytes);
  if (reason === undefined && "bytes" in read) return read;
  return kernelUnfit.at(kernel.span, { path: kernel.text, reason: reason ?? "", instead: BRING_KERNEL });
}

const BRING_KERNEL = "put the kernel's ELF file there, as its own build makes it for Limine";

async function readLimine(
  host: Host,
  folder: string,
  { upstream, node }: BoundImage,
): Promise<{ readonly files: BootPlan["limine"] } | Diagnostic> {
  const { limine } = upstream;
  if (limine === undefined) return bootIncomplete.at(node.span, { what: "a loader", instead: '`limine "FOLDER"`' });
  const files: Partial<Record<LimineFile, Uint8Array>> = {};
  for (const name of LIMINE_FILES) {
    const read = await readFile(host, {
      folder,
      at: limine,
      path: `${limine.text}/${name}`,
      most: MOST_LIMINE_BYTES[name],
    });
    if ("outside" in read) return outsidePackage.at(limine.span, { path: limine.text });
    if ("reason" in read) return reportUnfit(limine, `${name}: ${read.reason}`);
    files[name] = read.bytes;
  }
  const whole = files as BootPlan["limine"];
  const fault = findLimineFault(whole);
  return fault === undefined ? { files: whole } : reportUnfit(limine, fault);
}

function reportUnfit(limine: Name, reason: string): Diagnostic {
  return limineUnfit.at(limine.span, { path: limine.text, reason, instead: BRING_LIMINE });
}

const BRING_LIMINE = `put ${LIMINE_FILES.join(", ")} of one release of Limine there`;

type Read = Bytes | { readonly reason: string } | { readonly outside: true };

/** A boot file to read: the package's folder, the setting that names the file, its path, and its maximum size in bytes. */
interface BootFileWanted {
  readonly folder: string;
  readonly at: Name;
  readonly path: string;
  readonly most: number;
}

/** Reads a boot file. `at` is the setting that names the file; `path` is relative to the page with that setting. */
async function readFile(host: Host, { folder, at, path, most }: BootFileWanted): Promise<Read> {
  const page = posix.join(folder, at.span.source.path);
  const found = await resolvePackageFile(host, folder, path, page);
  if ("wrong" in found) return found.wrong === "outside" ? { outside: true } : { reason: "there is no such file" };
  // Links are refused, because the signature covers the file itself, not the present target of a link.
  if (found.real !== posix.join(posix.dirname(page), path))
    return { reason: "it is a symbolic link, or is reached through one" };
  const read = await host.readFile(found.real, most);
  return read.ok ? { bytes: read.value } : { reason: read.reason };
}
