// For tests: a write of the daemon that calls a function before each step.

import { watchSteps } from "../../../processes/services/files/steps.fixture.ts";
import { writeFile } from "../actions/write-file.ts";
import type { RefusalAnswer, WriteAnswer } from "../answer.ts";

/** Writes the file `file` of the folder. A step does not happen if `before` throws; steps are counted from 0. */
export async function steppedWrite(
  folder: string,
  content: string,
  before: (step: number) => void,
): Promise<WriteAnswer | RefusalAnswer> {
  let steps = 0;
  const restore = watchSteps(() => {
    steps += 1;
    before(steps - 1);
  });
  try {
    const action = { type: "write_file", path: "file", content, mode: 0o640, reason: "a test" } as const;
    return await writeFile(action, { folder, own: [] });
  } finally {
    restore();
  }
}

/** Writes the file, and kills this process with SIGKILL before the step with this number. */
export async function killedWrite(folder: string, content: string, at: number): Promise<void> {
  const answer = await steppedWrite(folder, content, (step) => {
    if (step === at) process.kill(process.pid, "SIGKILL");
  });
  process.stdout.write(JSON.stringify(answer));
}
