// Runs a model's process of an image in its jail on this machine. Init's own code (`engine/image/init/examples/jailed`)
// starts the process, and this module communicates with it over sockets.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { buildWithCargo } from "../../../../engine/image/init/toolchain.ts";
import type { Manifest } from "../../../../engine/lib/wire/generated/manifest.ts";
import { useFile } from "../../../host/files.ts";
import type { ModelWorker } from "../../in-process/rehearsal.ts";
import { startOf } from "../flips/start.ts";
import { CHECKOUT } from "../stage.ts";

const CRATE = join(CHECKOUT, "engine/image/init/Cargo.toml");
const PROGRAM = join(CHECKOUT, "engine/image/init/target/debug/examples/jailed");

export interface JailedWorker extends ModelWorker {
  /** Process identifier of the program that replaces init. The jailed process is its only child. */
  readonly pid: number;
  /** Ends the process. Returns its last output, and how the process ended. */
  readonly end: () => Promise<readonly string[]>;
}

/** A connection to a process, as the manifest lists it. */
interface Held {
  readonly holder: string;
  readonly interfaceId: bigint;
}

/** Builds the program that starts jailed processes with init's code. Throws the error if the build fails. */
export function buildJailed(): void {
  buildWithCargo("the jailed process's host", ["--manifest-path", CRATE, "--example", "jailed"]);
}

/**
 * Starts a jailed process, and returns when the process serves. If it does not serve, throws an error with its output.
 * Needs root, or `sudo` without a password, because of the namespaces.
 */
export async function startJailed(image: string, name: string): Promise<JailedWorker> {
  const { manifest, trust, commandLine } = useFile(image, (readAt) => startOf(readAt, statSync(image).size));
  const folder = mkdtempSync(join(tmpdir(), "capos-jailed-"));
  writeFileSync(join(folder, "trust.bin"), trust);
  const held = listHolders(manifest, name);
  const sockets = held.map((_, index) => acceptConnection(join(folder, `${index}`)));
  const words = [image, join(folder, "trust.bin"), commandLine, name, folder];
  const [program = "", ...more] = process.getuid?.() === 0 ? [PROGRAM] : ["sudo", "-n", PROGRAM];
  const child = spawn(program, [...more, ...words], { stdio: ["pipe", "pipe", "pipe"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const complaints = text(child.stderr);
  const end = async (): Promise<readonly string[]> => {
    child.stdin.end();
    return [...(await Array.fromAsync(lines)), ...(await complaints).split("\n")].filter((line) => line !== "");
  };
  try {
    const { value } = await lines.next();
    if (value !== "ready") throw new Error(`${name} does not serve: ${[value ?? "", ...(await end())].join("; ")}`);
    const connected = await Promise.all(sockets);
    const getConnection = (holder: string, interfaceId: bigint): Socket => {
      const socket = connected[held.findIndex((one) => one.holder === holder && one.interfaceId === interfaceId)];
      if (socket === undefined) throw new Error(`${holder} holds no ${interfaceId.toString(16)} of ${name}`);
      return socket;
    };
    return { id: findId(manifest, name), connection: getConnection, pid: child.pid ?? 0, end };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the first connection to a socket at `path`. */
function acceptConnection(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      server.close();
      resolve(socket);
    });
    server.once("error", reject).listen(path).unref();
  });
}

function listHolders({ processes }: Manifest, provider: string): readonly Held[] {
  return processes.flatMap(({ name, grants }) =>
    grants.filter((grant) => grant.provider === provider).map(({ interfaceId }) => ({ holder: name, interfaceId })),
  );
}

/** Returns the argument after `--id` of the process. */
function findId({ processes }: Manifest, name: string): string {
  const words = processes.find((process) => process.name === name)?.arguments ?? [];
  return words[words.indexOf("--id") + 1] ?? "";
}
