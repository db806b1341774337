// Reads the data set AgentDojo, which has tasks and attacks, and compiles the pages that are measured with it.

import { readFileSync } from "node:fs";
import {
  type IndexedTables,
  indexTables,
  type Json,
  type JsonRecord,
  nameListedTool,
  openConversation,
} from "../../../engine/lib/policy/index.ts";
import { accept } from "../../../engine/lib/result/result.ts";
import { compile } from "../../compile.ts";
import { createDiskHost, type Host } from "../../phases/source/index.ts";

export const SUITES = ["banking", "slack"] as const;
export type SuiteName = (typeof SUITES)[number];

/** A call with its result, as in the data set. */
export interface Step {
  readonly tool: string;
  readonly arguments: JsonRecord;
  readonly result?: Json;
  readonly error?: string;
}

interface Benign {
  readonly task: string;
  readonly prompt: string;
  readonly steps: readonly Step[];
}

export interface Attack {
  /** The benign task that the attack targets. */
  readonly task: string;
  readonly attack: string;
  /** Steps up to the first result that contains planted text. */
  readonly before: readonly Step[];
  readonly calls: readonly Step[];
}

export interface Suite {
  readonly tools: readonly JsonRecord[];
  /** The goal of each attack, in the attacker's words. */
  readonly goals: Readonly<Record<string, string>>;
  readonly benign: readonly Benign[];
  readonly attacks: readonly Attack[];
}

const FOLDER = new URL("./", import.meta.url);

export function readSuite(name: SuiteName): Suite {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
}

/** A compiled page: its tables, and the parts of them that the measurement needs. */
export interface MeasuredPage {
  readonly tables: IndexedTables;
  readonly row: number;
  /** Returns the index of a tool by its name on the server; -1 if the page does not have the tool. */
  readonly findTool: (listed: string) => number;
}

/**
 * With `weak`, the page is compiled without its lines `strong …`: then each field counts as a field that outsiders may
 * have filled.
 */
export type Strength = "as written" | "weak";

/** Compiles a suite's page; throws if it has an error. */
export async function compilePage(name: SuiteName, strength: Strength): Promise<MeasuredPage> {
  const path = new URL(`${name}.cap`, FOLDER).pathname;
  const host = strength === "weak" ? createWeakHost(path) : createDiskHost();
  const { policy, diagnostics } = await compile(host, path, { purpose: "check", advice: "left" });
  const tables = policy && indexTables(policy.tables);
  if (tables?.ok !== true) throw new Error(`${path}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  const row = openConversation(tables.value, "operator")?.row;
  if (row === undefined) throw new Error(`${path} has no session \`operator\``);
  return {
    tables: tables.value,
    row,
    findTool: (listed) => tables.value.tools.findIndex(({ methodName }) => methodName === nameListedTool(listed)),
  };
}

function createWeakHost(page: string): Host {
  const disk = createDiskHost();
  const removeStrong = (bytes: Uint8Array) =>
    new TextEncoder().encode(new TextDecoder().decode(bytes).replace(/^ *strong .*$/gm, ""));
  return {
    ...disk,
    readFile: async (path, limit) => {
      const read = await disk.readFile(path, limit);
      return read.ok && path === page ? accept(removeStrong(read.value)) : read;
    },
  };
}
