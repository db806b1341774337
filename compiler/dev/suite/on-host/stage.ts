// Stages of `make test-images` for `capc run --on-host`, in a guest with Debian's own kernel. `capc` must refuse a
// host that lacks a property of a machine, and must refuse the option `--without` for a property that the host has.
// If `--without` names exactly the properties that the host lacks, a whole conversation must run.

import { join } from "node:path";
import { CHECKOUT, createScratchStage, judgeClaims, type Result, type Stage } from "../stage.ts";
import { HOST_TEST, runVitest } from "../unit-tests.ts";
import { formatCommand, runInGuest, takeReport } from "./guest.ts";

const EXAMPLE = "examples/first-agent";
const SCRIPT = "compiler/dev/suite/on-host/on-host.chat";

/** Returns the stages that test an image on a host. An earlier stage built the image. */
export function createHostStages(image: string): readonly Stage[] {
  const options = ["--files", `${EXAMPLE}/disk`, "--keys", `${EXAMPLE}/keys`, "--json"];
  const run = ["run", join(CHECKOUT, image), "--on-host", "--script", SCRIPT, ...options];
  return [
    createScratchStage("on a host", (scratch) => playOnHost(run, scratch)),
    { name: "jails on a host", run: () => runVitest(HOST_TEST) },
  ];
}

async function playOnHost(run: readonly string[], scratch: string): Promise<Result> {
  const refused = formatCommand([...run, "--without", "landlock"]);
  const played = formatCommand([...run, "--without", "own-kernel"]);
  const { status, lines } = await runInGuest(`(${refused})\n${played}`, scratch);
  const { verdicts } = takeReport(lines.slice(lines.indexOf("REPORT") + 1));
  const lacks = lines.flatMap((line) => /host-lacks-([\w-]+)/.exec(line)?.[1] ?? []);
  return judgeClaims(
    [
      [
        "Debian's kernel lacks only a kernel of the run's own, and without the option the run is refused",
        `${lacks}` === "own-kernel",
      ],
      ["a named property that the host has is refused", lines.some((line) => line.includes("host-has-landlock"))],
      ...verdicts.map(({ line, passed, words }) => [`on-host.chat:${line}: ${words}`, passed] as const),
      ["the script has claims", verdicts.filter(({ line }) => line > 0).length >= 13],
      ["capc ends with status 0", status === 0],
    ],
    lines.slice(-60),
  );
}
