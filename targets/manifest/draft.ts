import type { Role } from "../../engine/lib/roles/index.ts";
import type { FileGrant, Grant } from "../../engine/lib/wire/generated/manifest.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import { placeOf, type Span } from "../../lang/text/index.ts";

/** A process of the manifest, without its uid and the badges of its grants. */
export interface Draft {
  readonly name: string;
  readonly role: Role;
  readonly arguments?: readonly string[];
  /** Path of the program in the root file system, if it is not a program of the engine. */
  readonly exec?: string;
  /** Maximum memory of the process, if it differs from the maximum of the role. */
  readonly memoryMaxBytes?: bigint;
  readonly grants: readonly GrantRequest[];
  readonly files: readonly FileGrant[];
}

export interface GrantRequest extends Pick<Grant, "name" | "interfaceId" | "provider" | "origin"> {
  /** Seconds after start at which init closes the connection; absent means never. */
  readonly expiresAfterSeconds?: number;
}

/** Name of init, which serves Supervisor and is not a process of the manifest. */
export const INIT = "init";

export const TABLES: FileGrant = { name: "tables", which: "blob", blob: "tables" };

/** Returns file:line:column of a declaration; every session, service and backend of a policy has one. */
export function placeIn(spans: ReadonlyMap<string, Span>, name: string): string {
  const span = spans.get(name);
  return span === undefined ? bug(`no origin of ${name}`) : placeOf(span);
}
