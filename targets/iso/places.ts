// Determines the order of the files in an image. Files that do not depend on the page come first. Files that depend on
// the page come last, with reserved space after them. So if a policy grows a little, no other file moves and the image
// keeps its size.

import { statSync } from "node:fs";
import { compareCodeUnits } from "../../lang/text/index.ts";
import { type Artifact, IMAGE_PATHS } from "../contract/artifact.ts";
import { renderLoaderSettings } from "./loader-settings.ts";

/** Boot files for BIOS: the files that isolinux loads, and its settings. */
export interface BiosStart {
  /** Path of the kernel on this machine. */
  readonly kernel: string;
  readonly loader: { readonly binary: string; readonly module: string; readonly hybrid: string };
  readonly initrd: Uint8Array;
  /** The kernel's command line, as the manifest signs it. */
  readonly kernelParameters: readonly string[];
}

/** Boot file for UEFI: a file system with one program. */
interface UefiStart {
  readonly fileSystem: Uint8Array;
}

/** Boot files for BIOS, for UEFI, or for both. */
export type Start =
  | { readonly bios: BiosStart; readonly uefi?: UefiStart }
  | { readonly bios?: undefined; readonly uefi: UefiStart };

/** Sources of the files of an image. */
export interface Contents {
  readonly root: { readonly file: string; readonly sha256?: string };
  readonly start: Start;
  /** Manifest, signature, tables and others; paths as in the image. */
  readonly artifacts: readonly Artifact[];
}

/**
 * Which changes of a file allow an image to be rewritten. `kept`: if the file differs, the whole image is written anew.
 * `anchored`: boot loaders find the file by its place, so only a file of the same size can replace it. `changing`: the
 * file is found by its name, so its size and place may change.
 */
type Standing = "kept" | "anchored" | "changing";

export interface Place {
  /** Path in the image, with a leading slash. */
  readonly path: string;
  readonly bytes: Artifact["bytes"];
  readonly standing: Standing;
}

export const BLOCK = 2048;

/** Returns the number of blocks that a file of this size takes in the image. */
export const countBlocks = (size: number): number => Math.ceil(size / BLOCK);

export function getSize({ bytes }: Pick<Place, "bytes">): number {
  return bytes instanceof Uint8Array ? bytes.length : statSync(bytes.file).size;
}

/** Returns the number of blocks that the changing files among these take. */
export function countChangingBlocks(places: readonly Place[]): number {
  const changing = places.filter(({ standing }) => standing === "changing");
  return changing.reduce((sum, each) => sum + countBlocks(getSize(each)), 0);
}

/** Path of the last file of an image, which reserves space. It contains zeros, and is never read. */
export const RESERVE_PATH = "/capos/reserve";

/** Size of the changing part: a multiple of this many blocks (1 MiB). At least `LEAST_RESERVE_BLOCKS` of it are reserved. */
const PART_BLOCKS = 512;
const LEAST_RESERVE_BLOCKS = 64;

/** Returns the places in the order of the image. */
export function listPlaces(contents: Contents): readonly Place[] {
  const { root, start, artifacts } = contents;
  const changing = artifacts.map(({ path, bytes }) => place("changing", `/${path.replace(/^\//, "")}`, bytes));
  const all = [
    place("kept", IMAGE_PATHS.root, root),
    ...(start.bios === undefined ? [] : listBiosPlaces(start.bios)),
    ...(start.uefi === undefined ? [] : [place("anchored", IMAGE_PATHS.efi, start.uefi.fileSystem)]),
    // Artefacts that are passed as files are weights, which do not depend on the page.
    ...changing.map((each) => ("file" in each.bytes ? { ...each, standing: "kept" as const } : each)),
  ];
  const ordered = ORDER.flatMap((which) => all.filter((each) => each.standing === which).sort(comparePaths));
  return [...ordered, reserve(ordered)];
}

function listBiosPlaces({ kernel, loader, initrd, kernelParameters }: BiosStart): readonly Place[] {
  return [
    place("kept", "/isolinux/isolinux.bin", { file: loader.binary }),
    place("kept", "/isolinux/ldlinux.c32", { file: loader.module }),
    place("kept", IMAGE_PATHS.kernel, { file: kernel }),
    place("changing", "/isolinux/isolinux.cfg", Buffer.from(renderLoaderSettings(kernelParameters), "latin1")),
    place("changing", IMAGE_PATHS.initrd, initrd),
  ];
}

const ORDER: readonly Standing[] = ["kept", "anchored", "changing"];

function place(standing: Standing, path: string, bytes: Artifact["bytes"]): Place {
  return { path, bytes, standing };
}

function reserve(places: readonly Place[]): Place {
  const taken = countChangingBlocks(places);
  const part = Math.ceil((taken + LEAST_RESERVE_BLOCKS) / PART_BLOCKS) * PART_BLOCKS;
  return place("changing", RESERVE_PATH, Buffer.alloc((part - taken) * BLOCK));
}

/** Compares paths. Defines the order of files, which affects the bytes of the image. */
function comparePaths(left: Place, right: Place): number {
  return compareCodeUnits(left.path, right.path);
}
