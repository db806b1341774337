// Defines the report of a plan that the screen and JSON share.

import type { PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { ChangeReport, SideName } from "../diff/diff-report.ts";

export interface PlanReport {
  /** Name of the page, as the user gave it. */
  readonly page: string;
  readonly system: string;
  readonly version: string;
  /**
   * SHA-256 of the policy tables in hexadecimal, as the audit will quote it; `meaning` is the digest of their meaning.
   */
  readonly tables: string;
  readonly meaning: string;
  readonly target: string;
  readonly image: ImageContents;
  readonly proofs: { readonly assertions: number; readonly unproved: number };
  readonly sessions: readonly SessionAuthority[];
  /** Memory of the machine; `null` for an image with upstream's kernel, which has other processes. */
  readonly memory: MemoryPlan | null;
  /** Comparison with the last build; `null` if there is none. */
  readonly against: PlanChanges | null;
}

export interface ImageContents {
  readonly processes: readonly { readonly name: string; readonly role: string }[];
  readonly services: readonly ServiceContents[];
  readonly backends: readonly BackendContents[];
  readonly disk: { readonly name: string; readonly encrypted: boolean; readonly bytes: number } | null;
  /** Address of the machine; `null` if it has no network. */
  readonly network: string | null;
}

export interface ServiceContents {
  readonly name: string;
  readonly interface: string;
  readonly label: string;
  /** Program of the page or the library, or `null` if the runtime provides the service. */
  readonly program: { readonly path: string; readonly bytes: number } | null;
  /** Maximum bytes on the data disk. */
  readonly stateBytes: number;
  /** Addresses to which the service may send requests. */
  readonly reaches: readonly string[];
}

export interface BackendContents {
  readonly name: string;
  readonly kind: string;
  readonly clearance: string;
  /** File in the image, or model of a provider, that answers; `null` if the backend has neither. */
  readonly model: string | null;
  /** Size of the model's file in bytes; 0 if the image does not contain it. */
  readonly bytes: number;
  readonly reaches: readonly string[];
}

/** Tools by the gate of their calls. */
export type ToolsByGate = Readonly<Record<PermissionMode, readonly GatedTool[]>>;

export interface GatedTool {
  /** Name of a tool, or `notes.*` for all tools of a service. */
  readonly name: string;
  /** Whether the gate depends on arguments, on the conversation, or on the phase of a task. */
  readonly isConditional: boolean;
}

export interface SessionAuthority {
  readonly name: string;
  readonly kind: string;
  readonly boots: boolean;
  readonly principals: readonly string[];
  /** Proof of identity that opens the session: `none`, `key` or `passphrase`. */
  readonly login: string;
  readonly backends: readonly { readonly name: string; readonly mode: PermissionMode }[];
  readonly quotas: readonly string[];
  /** Whether tools run only inside a task. */
  readonly requiresTask: boolean;
  readonly tools: ToolsByGate;
  /** Tasks and workers, which narrow the session. */
  readonly within: readonly { readonly kind: "task" | "worker"; readonly name: string; readonly tools: ToolsByGate }[];
}

export interface MemoryPlan {
  readonly machineBytes: number;
  /** Usual memory of the whole machine in bytes. */
  readonly usedBytes: number;
  /** Memory in bytes of the kernel, of init, and of programs that all processes share. */
  readonly sharedBytes: number;
  /** Memory by role, the largest sum first. */
  readonly roles: readonly { readonly role: string; readonly processes: number; readonly bytes: number }[];
}

export interface PlanChanges {
  readonly build: SideName;
  /** Whether no change was found between the build and the page. */
  readonly isSame: boolean;
  readonly changes: readonly ChangeReport[];
  readonly notCompared: readonly string[];
}
