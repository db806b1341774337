// Creates a package in a separate folder, as an editor finds one.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ALICE } from "../../../dev/fixtures/facts.ts";

/**
 * Root page. Some names have letters of two and of four bytes in UTF-8, so that UTF-8 and UTF-16 columns of the
 * following words differ.
 */
export const ROOT = `/// A house.
system house version "1.0.0" {
  use std.tools
  use "./people.cap"
  confidentiality { public < internal < secret }
  compartments { hr }
  /// Where notes lie.
  service notes : Files { state 1 MiB  label internal/reviewed }
  /// Where drafts lie.
  service drafts : Files { state 1 MiB  label public/reviewed }
  backend canned { stub  clearance secret:{hr} }
  /// Who answers for it.
  session operator {
    kind operator  principals alice  clearance secret:{hr}
    models { auto canned }
    permit {
      auto      readOnly
      consent   mutatingLocal
      stepUp    destructive because "é 😀"  // é 😀
      forbidden notes.write where path under "/é😀" else consent
    }
    quota { 9 calls per turn  2 destructive per login }
  }
  /// Who comes at night.
  session night extends operator { login key  permit { forbidden notes.delete } }
  /// Looks around.
  task triage in operator {
    phase look { only readOnly }
    phase mend after consent { only readOnly, notes.write }
  }
  test "two steps" {
    as operator.triage
    call notes.list {} expect auto
    enter mend answer yes expect auto
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  firmware bios  boot operator }
}
`;

export const PEOPLE = `/// The one who signs.
principal alice { ssh "alice.pub" }
`;

interface Folder {
  readonly path: string;
  readonly file: (name: string) => string;
  readonly remove: () => void;
}

/** Creates a folder with these files, and with the pages of this module unless the files replace them. */
export function folderOf(files: Readonly<Record<string, string>> = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), "capc-lsp-"));
  const all = { "system.cap": ROOT, "people.cap": PEOPLE, "alice.pub": ALICE, ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, file: (name) => join(path, name), remove: () => rmSync(path, { recursive: true }) };
}
