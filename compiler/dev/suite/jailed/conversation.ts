// Runs a whole conversation with a model in its jail. The worker is a process of the image. All other processes run in
// this process (`compiler/dev/in-process`), with the page's own tables.

import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer } from "../../../../engine/lib/wire/generated/wire.ts";
import type { Act, Script } from "../../../machine/chat/script.ts";
import { judge, type Verdict } from "../../../machine/chat/verdict.ts";
import { createStage } from "../../in-process/examples.ts";
import { type Rehearsal, rehearse } from "../../in-process/rehearsal.ts";
import { CHECKOUT } from "../stage.ts";
import { splitStretches } from "./drawn.ts";
import { type JailedWorker, startJailed } from "./worker.ts";

export interface Conversing extends Rehearsal {
  readonly worker: JailedWorker;
}

/**
 * Runs `talk` with an example whose image an earlier stage built. The worker of `backend` is a jailed process of this
 * image.
 */
export async function runConversation<T>(
  { example, image, backend }: { readonly example: string; readonly image: string; readonly backend: string },
  talk: (played: Conversing) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "capos-jailed-files-"));
  try {
    const brought = join(CHECKOUT, "examples", example, "disk");
    if (existsSync(brought)) cpSync(brought, folder, { recursive: true });
    const stage = await createStage(example, folder);
    const worker = await startJailed(image, `model.${backend}`);
    try {
      const played = await rehearse({ ...stage, workers: new Map([[backend, worker]]) });
      const said = await talk({ ...played, worker });
      await played.leave();
      return said;
    } finally {
      await worker.end();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Said {
  /** Lines that the person typed, each followed by its output. */
  readonly lines: readonly string[];
  readonly verdicts: readonly Verdict[];
}

/** Plays the lines and answers of a script. Throws if the script needs an action that only a machine supports. */
export async function play({ console }: Pick<Conversing, "console">, { stretches }: Script): Promise<Said> {
  const lines: string[] = [];
  const verdicts: Verdict[] = [];
  const acts = stretches.filter(({ act }) => act.kind !== "boot");
  for (let at = 0; at < acts.length; ) {
    const next = acts.findIndex(({ act }, index) => index > at && act.kind === "say");
    const turn = acts.slice(at, next < 0 ? undefined : next);
    at += turn.length;
    const [first, ...answers] = turn;
    if (first?.act.kind !== "say") throw new Error("a conversation begins with something that is said");
    console.answers.push(...answers.map(({ act }) => answerOf(act)));
    const drawn = splitStretches(await console.say(first.act.text));
    lines.push(`you> ${first.act.text}`, ...drawn.flat());
    verdicts.push(...turn.flatMap((stretch, index) => judge(stretch, drawn[index] ?? [], [])));
  }
  return { lines, verdicts };
}

function answerOf({ kind }: Act): Answer {
  if (kind === "allow") return "granted";
  if (kind === "refuse") return "denied";
  throw new Error(`a rehearsal's console has no answer of the kind ${kind}`);
}
