import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isRefusal } from "./files.ts";

const INSTALLED = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Returns the folder for data such as development keys and the result of the KVM test. It is in the checkout if this user can write to the
 * checkout. Otherwise it is in the user's own state folder, so that the keys of each user stay private. An installation by npm also uses
 * the user's state folder, because the next version replaces the whole installation.
 */
export function ensureStateFolder(installed = INSTALLED, { XDG_STATE_HOME } = process.env): string {
  const users = join(XDG_STATE_HOME || join(homedir(), ".local/state"), "capc");
  const own = join(installed, ".capos");
  const isOurs = !installed.includes("/node_modules/") && isUsable(existsSync(own) ? own : installed);
  const folder = isOurs ? own : users;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // A user without a home folder, such as the user of a service, needs advice on what to set.
    if (isRefusal(error)) error.path = `${folder}, where capc keeps its own (XDG_STATE_HOME names another folder)`;
    throw error;
  }
  return folder;
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
