import { type Compiled, compile } from "../compile.ts";
import { updateLock } from "../reflect/index.ts";
import { memoryHost } from "../source/index.ts";
import { ALICE, type Files } from "./facts.ts";
import { testSurroundings } from "./surroundings.ts";

/** Ids of schemas are nothing that a test is about. */
export const SCHEMA_HEAD = `@0xf81d4b0c2e6a9357; using Capos = import "/std/annotations.capnp";`;

/** A lawful page with these lines, for imports: its one service is of the image. */
export function importing(top: string, permit = ""): string {
  return `system s version "1.0.0" {
  use std.tools
  ${top}
  service notes : Files { state 1 MiB }
  backend canned { stub  clearance secret }
  session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal  forbidden destructive ${permit} } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}`;
}

/** The page with its files, and with a lock that somebody has just written for them. */
export async function pinned(text: string, files: Files): Promise<Compiled> {
  const beside = { ...files, "/keys/alice.pub": ALICE, "/system.cap": text };
  const { text: lock } = await updateLock(memoryHost(beside), "/system.cap");
  const all = lock === undefined ? beside : { ...beside, "/cap.lock": lock };
  return compile(memoryHost(all), "/system.cap", { ...testSurroundings, purpose: "check" });
}

/** Codes and messages, for a test that is about all of them. */
export function saidBy({ diagnostics }: Compiled): string[] {
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}
