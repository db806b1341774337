// Boots one machine and tests two things. Each forbidden action that a prober tries in its jail has the expected
// result. Meanwhile the example in this machine meets every claim of its script; jail-machine.ts builds the machine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { declareJailTests } from "./jail-claims.ts";
import { playMachine } from "./jail-machine.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-jail-"));
// Each claim of the script becomes a test. The claims are known only after the boot, so the machine boots before the
// tests are declared.
declareJailTests(await playMachine(folder).finally(() => rmSync(folder, { recursive: true })), 0);
