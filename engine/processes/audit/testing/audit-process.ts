// Starts the audit like init does: as a separate process with its tables, its channel and its grants.

import { type ChildProcess, spawn } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type PolicyTables, PolicyTables as TablesLayout } from "../../../lib/wire/generated/policy.ts";
import { HttpEndpoint } from "../../../lib/wire/generated/tools.ts";
import { AuditLog } from "../../../lib/wire/generated/wire.ts";
import { type Connection, connect, encodeMessage } from "../../../lib/wire/index.ts";
import { COLLECTOR } from "../shipping/collector.ts";

const TABLES: PolicyTables = {
  schemaVersion: 2,
  systemId: "first-agent",
  version: "1.0.0",
  lattice: { confidentiality: ["public"], integrity: ["untrusted"], compartments: [] },
  categories: [],
  tools: [],
  rules: [],
  decisions: [],
  rows: [],
  backends: [],
  principals: [],
  releases: [],
  ingresses: [],
  pageTexts: [],
  redactions: [],
  audit: { hasLimit: false, keep: "always", above: { confidentiality: 0, integrity: 0, compartments: 0n } },
};

/** Bundles process.fixture.ts into `audit.mjs` in a folder, and writes the policy tables for it to `tables.bin`. */
export async function bundleAudit(folder: string): Promise<void> {
  const entryPoints = [fileURLToPath(new URL("./process.fixture.ts", import.meta.url))];
  const outfile = join(folder, "audit.mjs");
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  writeFileSync(join(folder, "tables.bin"), encodeMessage(TablesLayout, TABLES));
}

/**
 * The point at which a serving process kills itself: in write number `count`, after `bytes` bytes, or before sync
 * number `count`.
 */
export interface Death {
  readonly at: "write" | "sync";
  readonly count: number;
  readonly bytes: number;
}

export interface AuditProcess {
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  /** Returns a connection of a holder with this name. */
  readonly grant: (holder: string) => Promise<Connection>;
}

interface Setting {
  readonly hasDisk?: boolean;
  readonly death?: Death | undefined;
  /**
   * URL path of the requests that the process sends to its collector, which is at the other end of `child.stdio[5]`.
   */
  readonly collector?: string;
  /** Interface ID that the collector accepts; HttpEndpoint by default. */
  readonly takes?: bigint;
}

/** File name of the partition within a folder. */
export const PARTITION = "audit.blocks";

/**
 * Starts the process, and resolves when the process is ready. The partition is in `folder` and may contain a log; if
 * `hasDisk` is false, the process has no partition.
 */
export async function startProcess(
  folder: string,
  bootId: string,
  { hasDisk = true, death, collector, takes = HttpEndpoint.id }: Setting = {},
): Promise<AuditProcess> {
  const words = [
    ...(hasDisk ? [join(folder, PARTITION)] : []),
    ...(death === undefined ? [] : [JSON.stringify(death)]),
    ...(collector === undefined ? [] : [`--collector=${collector}`]),
  ];
  const outside = collector === undefined ? "" : `${COLLECTOR}=5:${takes.toString(16)}`;
  const child = spawn(process.execPath, [join(folder, "audit.mjs"), ...words], {
    stdio: ["ignore", "inherit", "inherit", "ipc", openSync(join(folder, "tables.bin"), "r"), "pipe"],
    env: { CAPOS_NAME: "audit", CAPOS_FILES: "tables=4", CAPOS_GRANTS: outside, CAPOS_BOOT_ID: bootId },
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`the audit ended with ${code} before it was ready`)));
  });
  return { child, gone, grant: (holder) => grantTo(child, join(folder, holder), holder) };
}

async function grantTo(child: ChildProcess, path: string, holder: string): Promise<Connection> {
  const server = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const arrived = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = new Socket().connect(path);
  const interfaceId = AuditLog.id.toString(16);
  child.send({ capos: "grant", badge: "1", interfaceId, holder, name: "audit" }, await arrived);
  server.close();
  const connection = connect(near);
  // A reply shows that another process has received the other end of the connection. Until then this process also has
  // that end open, so the closing of that end would not be noticed.
  await connection.call(AuditLog.methods.status, {});
  return connection;
}
