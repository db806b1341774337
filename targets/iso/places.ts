// Lists the files of an image in the order in which the image stores them. Files that no page changes come first. Files that are rewritten
// with each change of a page come last, in an area of their own with free space. So if a policy grows a little, no other file moves and the
// size of the image stays the same.

import { statSync } from "node:fs";
import { compareCodeUnits } from "../../lang/text/index.ts";
import { type Artifact, IMAGE_PATHS } from "../contract/artifact.ts";
import { renderLoaderSettings } from "./loader-settings.ts";

/** How BIOS starts an image: the files that isolinux loads, and its settings. */
export interface BiosStart {
  /** Path on this machine, like the paths of `loader`. */
  readonly kernel: string;
  readonly loader: { readonly binary: string; readonly module: string; readonly hybrid: string };
  readonly initrd: Uint8Array;
  /** The kernel's command line, as the manifest signs it. */
  readonly kernelParameters: readonly string[];
}

/** How UEFI starts an image: a file system with one program. */
interface UefiStart {
  readonly fileSystem: Uint8Array;
}

/** BIOS, UEFI, or both. */
export type Start =
  | { readonly bios: BiosStart; readonly uefi?: UefiStart }
  | { readonly bios?: undefined; readonly uefi: UefiStart };

/** Sources of the files of an image. */
export interface Contents {
  readonly root: { readonly file: string; readonly sha256?: string };
  readonly start: Start;
  /** Manifest, signature, tables and other files, with their paths in the image. */
  readonly artifacts: readonly Artifact[];
}

/**
 * Effect of a changed file on the image. If a `kept` file differs, a whole new image is needed. Loaders find an `anchored` file by its
 * position, so a different file of the same size can replace it there. A `changing` file is found only by its name, so it may be
 * rewritten and moved.
 */
type Standing = "kept" | "anchored" | "changing";

export interface Place {
  /** Path in the image, with a leading slash. */
  readonly path: string;
  readonly bytes: Artifact["bytes"];
  readonly standing: Standing;
}

export const BLOCK = 2048;

/** Returns how many blocks a file of this size occupies in the image. */
export const countBlocks = (size: number): number => Math.ceil(size / BLOCK);

export function getSize({ bytes }: Pick<Place, "bytes">): number {
  return bytes instanceof Uint8Array ? bytes.length : statSync(bytes.file).size;
}

/** Returns how many blocks the files with the standing `changing` occupy. */
export function countChangingBlocks(places: readonly Place[]): number {
  const changing = places.filter(({ standing }) => standing === "changing");
  return changing.reduce((sum, each) => sum + countBlocks(getSize(each)), 0);
}

/** The last file of an image, which consists of unused zeros. */
export const RESERVE_PATH = "/capos/reserve";

/**
 * The files with the standing `changing`, including the reserve, occupy a multiple of PART_BLOCKS (1 MiB). The reserve
 * has at least LEAST_RESERVE_BLOCKS, so that larger files of the next page fit.
 */
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
    // An artefact whose bytes are in a file is the weights of a model. Weights do not depend on the page.
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

/** Compares the paths of two files; the order of the files determines the bytes of the image. */
function comparePaths(left: Place, right: Place): number {
  return compareCodeUnits(left.path, right.path);
}
