// A policy for tests, with the fields that the documents about an image use.

import type { Policy } from "../../contract/policy.ts";

export function examplePolicy(): Policy {
  const tables = { systemId: "lab", version: "1.2.0" };
  const image = { machine: "vm", firmware: ["bios", "uefi"] };
  return { tables, image } as unknown as Policy;
}
