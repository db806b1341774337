import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where capc keeps what belongs to this checkout and to nobody else: development keys, the verdict on KVM. */
export function stateFolder(): string {
  const folder = fileURLToPath(new URL("../../.capos", import.meta.url));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
