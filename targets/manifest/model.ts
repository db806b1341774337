import { createHash } from "node:crypto";
import type { BackendPlan } from "../../compiler/policy/policy.ts";
import type { Draft } from "./draft.ts";

/** A stub without a file of replies knows no line, and says so to all of them. */
export function repliesOf({ replies }: BackendPlan): Uint8Array {
  return replies?.bytes ?? Buffer.from("[]");
}

/** What the audit calls the model: the digest of its replies stands where that of weights would. */
export function modelId(backend: BackendPlan): string {
  return `stub:sha256-${createHash("sha256").update(repliesOf(backend)).digest("hex")}`;
}

export function modelDraft(backend: BackendPlan): Draft {
  const { name } = backend;
  return {
    name: `model.${name}`,
    role: "model",
    arguments: ["--id", modelId(backend)],
    grants: [],
    files: [{ name: "replies", which: "blob", blob: `replies.${name}` }],
  };
}
