// Opens the image for `capc run`; the bytes of the file show which format it has.

import { dirname, join } from "node:path";
import type { Result } from "../../engine/lib/result/result.ts";
import { findConsole, LIMINE_VOLUME_NAME } from "../../targets/contract/artifact.ts";
import { isQcow2, readQcow2 } from "../../targets/formats/qcow2-reader.ts";
import { type BootModes, deriveProgramStarts, findStarts } from "../artefacts/inspect/boot-modes.ts";
import { readImageManifest } from "../artefacts/inspect/image-manifest.ts";
import type { ReadAt } from "../artefacts/inspect/iso-reader.ts";
import { type OpenedImage as Medium, openImage as openMedium } from "../artefacts/inspect/opened.ts";
import { readUnproved } from "../artefacts/inspect/unproved.ts";
import { IMAGE_NAME } from "../artefacts/products/names.ts";
import { readBytes, useFile } from "../host/files.ts";

export interface ImageFile {
  /** Path of the file that contains the medium. */
  readonly path: string;
  readonly format: "raw" | "qcow2";
  /** UEFI program beside the medium, which starts instead of the medium's own program. */
  readonly program?: Buffer;
  readonly starts: BootModes | undefined;
  /** Number of assertions of the page that the image states as unproved. */
  readonly unproved: string | undefined;
  /** Whether the image makes its data disk from a blank disk. */
  readonly makesDisk: boolean;
  /** Whether the data disk of the image is encrypted. */
  readonly encryptsDisk: boolean;
  /** Whether the page of the image has a network. */
  readonly hasNetwork: boolean;
  /** Memory in mebibytes that the page requires of the machine; `undefined` if the image does not state it. */
  readonly memoryMiB: number | undefined;
  /** Whether people use the machine's own screen and keyboard instead of a serial port. */
  readonly hasScreen: boolean;
}

/** Maximum bytes of a UEFI program; capc never makes a larger one. */
const MOST_PROGRAM_BYTES = 256 * 1024 * 1024;

export function openImage(path: string): Result<ImageFile> {
  const read = readBytes(path, 2);
  if (!read.ok) return read;
  if (Buffer.from(read.value.bytes).toString("latin1") === "MZ") return openProgram(path);
  return useFile(path, (readAt) => openDisk(path, readAt, read.value.size));
}

function openDisk(path: string, readAt: ReadAt, size: number): Result<ImageFile> {
  if (!isQcow2(readAt)) return openMediumOf({ path, format: "raw" }, readAt, size);
  const disk = readQcow2(readAt);
  if (disk === undefined) return { ok: false, reason: `${path} is a qcow2 image of another kind than capc makes` };
  return openMediumOf({ path, format: "qcow2" }, disk.readAt, disk.size);
}

function openMediumOf(file: Pick<ImageFile, "path" | "format">, readAt: ReadAt, size: number): Result<ImageFile> {
  const medium = openMedium(readAt, size);
  if (medium?.volume === LIMINE_VOLUME_NAME) return { ok: false, reason: `${file.path} ${UPSTREAM}` };
  return { ok: true, value: { ...file, ...(medium === undefined ? SAYS_NOTHING : readImageFacts(medium)) } };
}

/** Maximum of `--memory`, in mebibytes. */
const MOST_MEMORY_MIB = 999_999;

const UPSTREAM = "starts upstream's kernel, with which nothing here can talk: give it to QEMU itself, as its -cdrom";

const SAYS_NOTHING = {
  starts: undefined,
  unproved: undefined,
  makesDisk: false,
  encryptsDisk: false,
  hasNetwork: false,
  memoryMiB: undefined,
  hasScreen: false,
} as const;

function readImageFacts(medium: Medium): Omit<ImageFile, "path" | "format" | "program"> {
  const { storage, network, kernelParameters = [], memoryBytes = 0n } = readImageManifest(medium) ?? {};
  const memoryMiB = memoryBytes === 0n ? undefined : Math.min(Number(memoryBytes >> 20n), MOST_MEMORY_MIB);
  const { create = false, encrypted = false } = storage ?? {};
  const hasNetwork = network !== undefined && network.which !== "none";
  const hasScreen = findConsole(kernelParameters) === "screen";
  const said = { makesDisk: create, encryptsDisk: encrypted, hasNetwork, hasScreen, memoryMiB };
  return { starts: findStarts(medium), unproved: readUnproved(medium), ...said };
}

/**
 * Opens a UEFI program, together with its medium: the image beside it that was built with the program. Fails if one of
 * them cannot be read.
 */
function openProgram(path: string): Result<ImageFile> {
  const read = readBytes(path, MOST_PROGRAM_BYTES);
  if (!read.ok) return read;
  const beside = join(dirname(path), IMAGE_NAME);
  const found = readBytes(beside, 0);
  const medium = found.ok ? useFile(beside, (readAt) => openDisk(beside, readAt, found.value.size)) : found;
  if (!medium.ok) return { ok: false, reason: `${path} needs its medium beside it: ${medium.reason}` };
  const program = Buffer.from(read.value.bytes);
  return { ok: true, value: { ...medium.value, program, starts: deriveProgramStarts(program) } };
}
