// Plays a script at a trial, and judges it. It is loaded for --script alone.

import { basename, dirname, join, resolve } from "node:path";
import { readText } from "../../host/files.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { readScript, type Script } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import { judgeFolder } from "../../machine/effects.ts";
import { createSigner } from "../../machine/signer.ts";
import { judgeAudit } from "../audit/claims.ts";
import { createRefuser, type ParsedArguments } from "../command.ts";
import { createPlayer, findUnplayable, leaveStart } from "./scripted.ts";
import { openWork, type Work } from "./work.ts";

const refuse = createRefuser("try");

export interface LoadedScript {
  readonly name: string;
  readonly script: Script;
}

export function loadScript(path: string, world: World): LoadedScript | { readonly status: ExitStatus } {
  const source = readText(path);
  if (!source.ok) return { status: refuse(world, 3, source.reason) };
  const read = readScript(source.value, (name) => {
    const named = readText(resolve(dirname(path), name));
    return named.ok ? named.value : undefined;
  });
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
  const failed = verdicts.filter(({ passed }) => !passed);
  const passed = verdicts.length - failed.length;
  for (const { line, words } of failed) world.report(`${name}${line > 0 ? `:${line}` : ""}: failed: ${words}\n`);
  if (isJson) world.print(`${JSON.stringify({ passed, failed: failed.length, verdicts })}\n`);
  else world.print(`${passed} passed, ${failed.length} failed\n`);
  return failed.length === 0 ? 0 : 1;
}
