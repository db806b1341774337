// Plays a script with a guest, and checks its claims about the console, the data disk and the audit.

import type { ExitStatus, World } from "../../host/world.ts";
import type { Script } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import { type CollectorFiles, judgeBlank, judgeCollector, judgeEffects } from "../../machine/effects.ts";
import { unlockDisk } from "../../machine/run-disk.ts";
import { runScript } from "../../machine/scripted-run.ts";
import { createSigner } from "../../machine/signer.ts";
import { judgeAudit } from "../audit/claims.ts";
import { startFollowing } from "../audit/following.ts";
import { createRefuser } from "../command.ts";
import { tellVerdicts } from "../played-script.ts";

const refuse = createRefuser("run");

/**
 * A script, the program that runs the system (QEMU, or the program that starts it on the host), and the files around
 * it.
 */
interface ScriptedGuest {
  readonly played: { readonly name: string; readonly script: Script };
  readonly guest: { readonly program: string; readonly kind: "machine" | "host"; readonly words: readonly string[] };
  readonly around: { readonly disk: string | undefined; readonly collectors: CollectorFiles; readonly scratch: string };
  /** Folder of the files that the data disk initially contained. */
  readonly files: string | undefined;
  readonly keys: string | undefined;
  readonly passphrase: string | undefined;
  readonly json: boolean;
}

export async function runForScript(order: ScriptedGuest, world: World): Promise<ExitStatus> {
  const { played, guest, around, passphrase } = order;
  const { name, script } = played;
  const { disk, collectors, scratch } = around;
  const format = order.json ? "json" : "text";
  const print = order.json ? world.report : world.print;
  const show = (line: string): void => print(`${line}\n`);
  const { interrupted } = world;
  const isFollowed = script.audit.some(({ kind }) => kind === "followed");
  const follower = disk === undefined || !isFollowed ? undefined : startFollowing(disk, passphrase);
  const outcome = await runScript({
    ...guest,
    script,
    sign: createSigner(order.keys),
    passphrase,
    show,
    interrupted,
  });
  const told = await follower?.();
  if (!outcome.ok) return refuse(world, 3, outcome.reason);
  const { cpuSeconds, acknowledged } = outcome.value;
  const verdicts = [...outcome.value.verdicts, ...judgeCollector(script.collector, collectors)];
  if (disk === undefined) return conclude({ verdicts, cpuSeconds, name }, format, world);
  if (script.leavesBlank)
    return conclude({ verdicts: [...verdicts, judgeBlank(disk)], cpuSeconds, name }, format, world);
  const plain = unlockDisk(disk, passphrase, scratch);
  if (!plain.ok) {
    const words = `the data disk is encrypted with the passphrase; ${plain.reason}`;
    return conclude({ verdicts: [...verdicts, { line: 0, passed: false, words }], cpuSeconds, name }, format, world);
  }
  const seen = { told: acknowledged, ...(told === undefined ? {} : { followed: told }) };
  const left = judgeEffects(script.disk, plain.value, order.files);
  const logged = await judgeAudit(script.audit, plain.value, seen, show);
  return conclude({ verdicts: [...verdicts, ...left, ...logged], cpuSeconds, name }, format, world);
}

/** The verdicts on a script, and how long the system ran. */
interface ScriptOutcome {
  readonly verdicts: readonly Verdict[];
  readonly cpuSeconds: number;
  readonly name: string;
}

function conclude({ verdicts, cpuSeconds, name }: ScriptOutcome, format: "json" | "text", world: World): ExitStatus {
  const lines = [`CPU seconds of the machine: ${cpuSeconds.toFixed(1)}`];
  return tellVerdicts({ name, verdicts, lines, fields: { cpuSeconds } }, format, world);
}
