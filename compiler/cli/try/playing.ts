// Plays a chat script in a trial, and judges whether its claims hold. This module is loaded only for `capc try
// --script`.

import { basename, join } from "node:path";
import type { ExitStatus, World } from "../../host/world.ts";
import type { Script } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import { judgeFolder } from "../../machine/effects.ts";
import { createSigner } from "../../machine/signer.ts";
import { judgeAudit } from "../audit/claims.ts";
import { createRefuser, type ParsedArguments } from "../command.ts";
import { readScriptFile, tellVerdicts } from "../played-script.ts";
import { createPlayer, findUnplayable, leaveStart } from "./scripted.ts";
import { openWork, type Work } from "./work.ts";

const refuse = createRefuser("try");

export interface LoadedScript {
  readonly name: string;
  readonly script: Script;
}

export function loadScript(path: string, world: World): LoadedScript | { readonly status: ExitStatus } {
  const opened = readScriptFile(path);
  if (!opened.ok) return { status: refuse(world, 3, opened.reason) };
  const read = opened.value;
  const name = basename(path);
  const unplayable = read.ok ? findUnplayable(read.script) : undefined;
  const faults = read.ok ? (unplayable === undefined ? [] : [unplayable]) : read.faults;
  for (const { line, reason } of faults) world.report(`${name}:${line}: ${reason}\n`);
  return read.ok && faults.length === 0 ? { name, script: read.script } : { status: 2 };
}

export async function play(
  work: Work & { readonly script: LoadedScript; readonly keys: string | undefined },
  typed: ParsedArguments,
  world: World,
): Promise<ExitStatus> {
  const { name } = work.script;
  const { script, left } = leaveStart(work.script.script);
  if (left > 0)
    world.report(`capc try: ${left} expectations of ${name} are about a machine's start, and are not judged\n`);
  const isJson = typed.switches.has("json");
  const show = (line: string): void => (isJson ? world.report : world.print)(`${line}\n`);
  const over = Promise.withResolvers<string | undefined>();
  world.interrupted.addEventListener("abort", () => over.resolve("interrupted"), { once: true });
  const player = createPlayer(script, createSigner(work.keys), show, () => over.resolve(undefined));
  const trial = await openWork(work, { front: player, over }, world);
  const broken = await over.promise;
  await trial.end();
  const verdicts: readonly Verdict[] = [
    ...player.end(),
    {
      line: 0,
      passed: broken === undefined,
      words: `the trial ends in order${broken === undefined ? "" : `; ${broken}`}`,
    },
    ...judgeFolder(script.disk, work.disk, work.before),
    ...(await judgeAudit(script.audit, join(work.disk, ".audit"), { told: player.acknowledged }, show)),
  ];
  return tellVerdicts({ name, verdicts }, isJson ? "json" : "text", world);
}
