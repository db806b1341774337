// Checks the claims about the data disk and the messages to collectors. The checks run on the host, after the machine is off.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readText, useFile } from "../host/files.ts";
import type { CollectorEffect, DiskEffect } from "./chat/script.ts";
import type { Verdict } from "./chat/verdict.ts";
import { type Content, explainUnclean, readFromDisk } from "./data-disk.ts";

/** Checks the claims about the disk. `folder` contains the disk's initial files, for claims that a file is unchanged. */
export function judgeEffects(
  effects: readonly DiskEffect[],
  disk: string,
  folder: string | undefined,
): readonly Verdict[] {
  const dirt = explainUnclean(disk);
  const clean = "the data disk was unmounted cleanly";
  return [
    ...effects.map((effect) => judgeEffect(effect, readFromDisk(disk, effect.path), folder)),
    { line: 0, passed: dirt === undefined, words: dirt === undefined ? clean : `${clean}; ${dirt}` },
  ];
}

/**
 * Checks the claims about files in a folder that is used instead of the data disk. `before` is the folder from which its initial files were
 * copied.
 */
export function judgeFolder(
  effects: readonly DiskEffect[],
  folder: string,
  before: string | undefined,
): readonly Verdict[] {
  return effects.map((effect) => judgeEffect(effect, readFromFolder(join(folder, effect.path)), before));
}

function readFromFolder(path: string): Content {
  if (!existsSync(path)) return { kind: "missing" };
  const read = readText(path);
  return read.ok ? { kind: "text", text: read.value } : { kind: "unreadable", reason: read.reason };
}

/** Files that receive the messages to each collector, one message a line. */
export type CollectorFiles = Readonly<Record<CollectorEffect["from"], string>>;

/** Checks the claims about messages to a collector. The collector's file is missing if it received no messages. */
export function judgeCollector(effects: readonly CollectorEffect[], files: CollectorFiles): readonly Verdict[] {
  return effects.map(({ line, from, text }) => {
    const told = readText(files[from]);
    const messages = told.ok ? told.value.split("\n").slice(0, -1) : [];
    const passed = messages.some((message) => message.includes(text));
    const claim = `a message of ${from} holds ${JSON.stringify(text)}`;
    return { line, passed, words: passed ? claim : `${claim}; of ${messages.length} none does` };
  });
}

/** Number of bytes to read from a disk at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Checks whether a disk that was blank at the start is still blank. */
export function judgeBlank(disk: string): Verdict {
  const passed = useFile(disk, (readAt) => {
    for (let at = 0; ; at += CHUNK_BYTES) {
      const bytes = readAt(at, CHUNK_BYTES);
      if (bytes.some((byte) => byte !== 0)) return false;
      if (bytes.length < CHUNK_BYTES) return true;
    }
  });
  const claim = "the blank disk stays so";
  return { line: 0, passed, words: passed ? claim : `${claim}; something was written on it` };
}

function judgeEffect(effect: DiskEffect, content: Content, folder: string | undefined): Verdict {
  const { claim, wanted } = describeExpected(effect, folder);
  const passed = isSame(wanted, content);
  const instead = wanted.kind === "unreadable" ? `what it was is not known: ${wanted.reason}` : describeFound(content);
  return { line: effect.line, passed, words: passed ? claim : `${claim}; ${instead}` };
}

function describeExpected(effect: DiskEffect, folder: string | undefined): { claim: string; wanted: Content } {
  switch (effect.kind) {
    case "holds": {
      const { text } = effect;
      return { claim: `${effect.path} holds ${JSON.stringify(text)}`, wanted: { kind: "text", text } };
    }
    case "missing":
      return { claim: `there is no ${effect.path}`, wanted: { kind: "missing" } };
    case "unchanged":
      return { claim: `${effect.path} is as it was`, wanted: readBefore(effect.path, folder) };
  }
}

function readBefore(path: string, folder: string | undefined): Content {
  if (folder === undefined) return { kind: "unreadable", reason: "the disk was not filled from --files DIR" };
  try {
    return { kind: "text", text: readFileSync(join(folder, path), "utf8") };
  } catch (error) {
    return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns whether two contents are equal. Content that could not be read is never equal to another. */
function isSame(wanted: Content, content: Content): boolean {
  if (wanted.kind === "text" && content.kind === "text") return wanted.text === content.text;
  return wanted.kind === "missing" && content.kind === "missing";
}

function describeFound(content: Content): string {
  switch (content.kind) {
    case "text":
      return `it holds ${JSON.stringify(content.text)}`;
    case "missing":
      return "it is not there";
    case "unreadable":
      return content.reason;
  }
}
