// Creates a small repository with two commits: a page, and a changed version of it.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const PAGE = `/// What tests compare.
system small version "1.0.0" {
  use std.tools

  backend canned {
    stub
    clearance internal
  }

  confidentiality { public < internal }

  /// Notes of theirs.
  service notes : Files {
    state 1 MiB
  }

  /// Who is at the machine.
  session operator {
    kind operator
    models { auto canned }
    permit {
      auto      readOnly
      consent   mutatingLocal
      forbidden destructive
    }
    quota { 4 calls per turn }
  }

  storage { disk "capos-data" }

  image {
    target linux
    machine vm
    boot operator
  }
}
`;
export const WIDER = PAGE.replace("4 calls", "5 calls");

/** Runs git in `folder` without a user's settings; returns its output. */
export function git(folder: string, ...words: string[]): string {
  const settings = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", ["-C", folder, ...settings, ...words], { encoding: "utf8" }).trim();
}

/** Writes files into the repository and commits them; returns the hash of the commit. */
export function committed(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "-m", "a change");
  return git(folder, "rev-parse", "HEAD");
}
