// Parses the claims of a script that are checked when the machine is off: claims about files on its data disk, and
// claims about the audit log on this disk.

import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
/** A claim about a file. Paths are absolute on the disk. */
export type DiskClaim =
  | { readonly kind: "holds"; readonly path: string; readonly text: string }
  | { readonly kind: "missing" | "unchanged"; readonly path: string };

/**
 * `inOrder`: the hashes and seals of the log are valid. `acknowledged`: the log contains every record whose hash the
 * console showed. `unrecorded`: no record of the log contains the text. All other kinds: some record contains the text,
 * as `capc audit show`, `capc audit export` or `capc audit follow` prints it.
 */
export type AuditClaim =
  | { readonly kind: "inOrder" | "acknowledged" }
  | { readonly kind: "recorded" | "unrecorded" | "jsonl" | "ocsf" | "followed"; readonly text: string };

/**
 * A claim about a collector: one of its messages contains the text; a message is a syslog message, or one OpenTelemetry
 * log record as JSON.
 */
export interface CollectorClaim {
  readonly from: "syslog" | "otlp";
  readonly text: string;
}

export type ScriptClaim =
  | { readonly about: "disk"; readonly claim: DiskClaim }
  | { readonly about: "collector"; readonly claim: CollectorClaim }
  | { readonly about: "audit"; readonly claim: AuditClaim }
  | { readonly about: "machine"; readonly claim: MachineClaim };

/**
 * A claim about the machine: it started without a data disk, it stopped because a necessary process died, or it wrote nothing to its blank
 * disk.
 */
type MachineClaim = "hasNoDisk" | "stopped" | "leavesBlank";

const FORMS =
  "a claim is file /PATH = TEXT, nofile /PATH, same /PATH, audit valid, audit every, audit holds TEXT, audit lacks TEXT, audit jsonl TEXT, audit ocsf TEXT, audit followed TEXT, syslog holds TEXT, otlp holds TEXT, nodisk, stopped, or blank";

/** Parses the claim after the `@` of a script's line. Fails with the reason if it is malformed. */
export function readClaim(text: string): Result<ScriptClaim> {
  if (text === "nodisk") return accept({ about: "machine", claim: "hasNoDisk" });
  if (text === "stopped") return accept({ about: "machine", claim: "stopped" });
  if (text === "blank") return accept({ about: "machine", claim: "leavesBlank" });
  const [, from, sent] = /^(syslog|otlp) holds (.+)$/.exec(text) ?? [];
  if (from !== undefined && sent !== undefined)
    return accept({ about: "collector", claim: { from: from === "otlp" ? "otlp" : "syslog", text: sent } });
  return text.startsWith("audit ") ? readAuditClaim(text.slice("audit ".length)) : readDiskClaim(text);
}

function readAuditClaim(text: string): Result<ScriptClaim> {
  if (text === "valid") return accept({ about: "audit", claim: { kind: "inOrder" } });
  if (text === "every") return accept({ about: "audit", claim: { kind: "acknowledged" } });
  const [, word = "", held = ""] = /^(\w+) (.+)$/.exec(text) ?? [];
  const kind = TEXTS.get(word);
  return kind === undefined ? refuse(FORMS) : accept({ about: "audit", claim: { kind, text: held } });
}

const TEXTS: ReadonlyMap<string, Extract<AuditClaim, { readonly text: string }>["kind"]> = new Map([
  ["holds", "recorded"],
  ["lacks", "unrecorded"],
  ["jsonl", "jsonl"],
  ["ocsf", "ocsf"],
  ["followed", "followed"],
]);

/** Matches a claim about a file. debugfs parses paths on its own command line, so only plain paths are accepted. */
const DISK_CLAIM = /^(file|nofile|same) (\/[\w./-]+)(?: = (.*))?$/;

function readDiskClaim(text: string): Result<ScriptClaim> {
  const [, word, path, given] = DISK_CLAIM.exec(text) ?? [];
  if (path === undefined || (word === "file") !== (given !== undefined)) return refuse(FORMS);
  if (given === undefined)
    return accept({ about: "disk", claim: { kind: word === "same" ? "unchanged" : "missing", path } });
  const content = given.startsWith('"') ? parseQuoted(given) : given;
  return content === undefined
    ? refuse("the text is not a JSON string")
    : accept({ about: "disk", claim: { kind: "holds", path, text: content } });
}

/** Returns the text of a JSON string, or `undefined` if it is not one. */
export function parseQuoted(json: string): string | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === "string" ? read : undefined;
  } catch {
    return undefined;
  }
}
