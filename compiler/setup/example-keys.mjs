// The key that the example's page names for its person. Its private half is nobody's secret but this checkout's, so it is
// made here and never committed.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "./refusal.mjs";

const FOLDER = "examples/first-agent";
const NAME = "alice";

/** Makes the pair where there is no public half; one that lies there, perhaps a person's own, is left alone. */
export function makeExampleKey(checkout) {
  const example = join(checkout, FOLDER);
  const key = join(example, "keys", NAME);
  if (!existsSync(example) || existsSync(`${key}.pub`)) return;
  if (existsSync(key))
    throw new Refusal(
      `${key} is there without ${NAME}.pub; write that again with: ssh-keygen -y -f ${key} > ${key}.pub`,
    );
  mkdirSync(join(example, "keys"), { recursive: true, mode: 0o700 });
  const words = ["-q", "-t", "ed25519", "-N", "", "-C", NAME, "-f", key];
  const { error, status } = spawnSync("ssh-keygen", words, { stdio: ["ignore", 2, 2] });
  if (error !== undefined) throw new Refusal(`ssh-keygen could not be started: ${error.message}`);
  if (status !== 0) throw new Refusal(`ssh-keygen could not make ${key} (its words are above)`);
  process.stderr.write(`capc set-up: ${NAME}'s key for step-up is ${FOLDER}/keys/${NAME}\n`);
}
