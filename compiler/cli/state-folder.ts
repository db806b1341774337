import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const INSTALLED = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Where capc keeps what belongs to this checkout and to nobody else: development keys, the verdict on KVM. What npm has
 * installed is replaced as a whole by the next version, so there it is the user's folder for such things.
 */
export function stateFolder(): string {
  const { XDG_STATE_HOME } = process.env;
  const users = join(XDG_STATE_HOME || join(homedir(), ".local/state"), "capc");
  const folder = INSTALLED.includes("/node_modules/") ? users : join(INSTALLED, ".capos");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
