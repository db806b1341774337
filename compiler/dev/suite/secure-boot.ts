// Tests Secure Boot for `make test-images`: a machine that trusts one key starts a program that this key signed, but
// neither an unsigned program nor a modified program.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boot } from "./boot.ts";
import { CHECKOUT, createClaim, type Result, runCapc, runHere, type Stage } from "./stage.ts";

const EXAMPLE = "examples/first-agent";
const OUT = "build/test/secure-boot";
const SCRIPT = `${OUT}/sealed.chat`;
/**
 * Script that expects `sealed`. init prints this word if the firmware's variables state that Secure Boot was active.
 */
const CONVERSATION = `@ nodisk
< sealed:
! media-trusted
> /session visitor
< * session visitor
> How is the machine?
< [tool] machine.show {} auto → ok
`;
const SIGNED = `${OUT}/signed/system.iso`;
const PLAIN = `${OUT}/plain/system.iso`;
const CHANGED = `${OUT}/changed.iso`;
const [KEY, CERTIFICATE] = [`${OUT}/db.key`, `${OUT}/db.crt`];
const ENROLLED = ["--secure-boot", CERTIFICATE];

const runQuietly = (...words: readonly string[]) => runCapc(words, { quiet: true });

const key: Stage = {
  name: "a key for Secure Boot",
  run: async () => {
    rmSync(join(CHECKOUT, OUT), { recursive: true, force: true });
    mkdirSync(join(CHECKOUT, OUT), { recursive: true });
    writeFileSync(join(CHECKOUT, SCRIPT), CONVERSATION);
    const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=capos trial", "-days", "30"];
    return createClaim(
      "openssl",
      await runHere("openssl", [...words, "-keyout", KEY, "-out", CERTIFICATE], { quiet: true }),
    );
  },
};

const createBuildStage = (out: string, ...more: readonly string[]): Stage => ({
  name: `build ${out}`,
  run: async () =>
    createClaim(out, await runQuietly("build", `${EXAMPLE}/system.cap`, "--out", join(OUT, out), ...more)),
});

/** Changes one bit of the signed program, in the kernel's command line, because this part is the easiest to find. */
const changed: Stage = {
  name: "change what was signed",
  run: async () => {
    const image = readFileSync(join(CHECKOUT, SIGNED));
    const program = image.indexOf("BOOTX64 EFI");
    const at = image.indexOf("console=ttyS0", program);
    if (program < 0 || at < 0)
      return { passed: 0, failed: 1, failures: [{ name: SIGNED, words: "no command line in it" }] };
    image[at] = (image[at] ?? 0) ^ 1;
    writeFileSync(join(CHECKOUT, CHANGED), image);
    return { passed: 1, failed: 0, failures: [] };
  },
};

/** Messages about a program that must not start: first the message of OVMF, then the message of `capc run`. */
const REFUSED = /BdsDxe: failed to (?:load|start) Boot\d+ "UEFI [^\n]*: (?:Access Denied|Security Violation)/;
const NOTHING_ELSE = "its firmware found nothing that it may start";

function createRefusedStage(image: string, what: string): Stage {
  const name = `${what} does not start`;
  return {
    name,
    run: async (): Promise<Result> => {
      const { status, output, complaints } = await runQuietly("run", image, ...ENROLLED, "--script", SCRIPT);
      const isRefused = REFUSED.test(output) && complaints.includes(NOTHING_ELSE) && !output.includes("capos:");
      return createClaim(name, { status: status === 1 && isRefused ? 0 : 1, output, complaints });
    },
  };
}

/** Stages in this order: each needs the results of the previous ones. */
export const secureBoot: readonly Stage[] = [
  key,
  createBuildStage("signed", "--secure-boot-key", KEY, "--secure-boot-cert", CERTIFICATE),
  createBuildStage("plain"),
  changed,
  { ...boot(SCRIPT, SIGNED, ENROLLED), name: "what was signed starts" },
  createRefusedStage(PLAIN, "what nobody signed"),
  createRefusedStage(CHANGED, "what was changed"),
];
