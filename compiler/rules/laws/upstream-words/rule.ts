import type { Span } from "../../../../lang/text/index.ts";
import { RESTARTS } from "../../../../targets/contract/upstream-plan.ts";
import { type BoundImage, type Model, restartWords, type Service } from "../../../phases/bind/index.ts";
import { KNOWN_SETTINGS, TARGET_SETTINGS } from "../../../phases/bind/settings.ts";
import { initCaps, isForUpstream, readGrants } from "../../../phases/policy/upstream/graph.ts";
import { isProgram } from "../../../phases/policy/upstream/lower.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { otherTarget, upstreamWord } from "./codes.ts";

/** Checks that settings for one target are only on pages for that target, and that the words of these settings can be parsed. */
export const rule = defineLaw({
  reports: [otherTarget, upstreamWord],
  check: ({ model }, report) => {
    const { image, services, damaged } = model;
    const target = image?.target?.text;
    if (image === undefined || target === undefined || damaged) return;
    const isUpstream = isForUpstream(model);
    const known = TARGET_SETTINGS[isUpstream ? "capos" : "linux"];
    for (const { name } of image.node.settings) {
      if (known.includes(name.text) || !KNOWN_SETTINGS.image.some((setting) => setting === name.text)) continue;
      report(otherTarget.at(name.span, { what: `\`${name.text}\``, target }));
    }
    if (isUpstream) checkWords(model, image, report);
    else
      for (const at of services.flatMap(findKernelGrants))
        report(otherTarget.at(at, { what: "a grant of the kernel's", target }));
  },
});

function findKernelGrants({ grants }: Service): Span[] {
  return grants.filter(({ to }) => to.kind === "kernel").map(({ node }) => node.to.span);
}

function checkWords({ services }: Model, { upstream }: BoundImage, report: Report): void {
  const unreadable = services.flatMap(readGrants).flatMap((read) => read.unreadable);
  for (const { at, why } of unreadable) report(upstreamWord.at(at.span, { word: at.value, why }));
  for (const { at, why } of initCaps(upstream).unreadable) report(upstreamWord.at(at.span, { word: at.text, why }));
  const programs = new Set(services.filter(isProgram).map(({ name }) => name));
  const seen = new Set<string>();
  for (const at of upstream.restart) {
    const { service, when } = restartWords(at);
    const why = findRestartFault(service, when, programs, seen);
    if (why !== undefined) report(upstreamWord.at(at.span, { word: at.text, why }));
    seen.add(service);
  }
  const { exits, motd } = upstream;
  const unprintable = motd && findMessageFault(motd.text);
  if (motd !== undefined && unprintable !== undefined)
    report(upstreamWord.at(motd.span, { word: "motd", why: unprintable }));
  if (exits !== undefined && !programs.has(exits.text))
    report(upstreamWord.at(exits.span, { word: exits.text, why: NO_PROGRAM }));
}

/** Maximum bytes of the message of the day (capos-config 0.1.0, src/validation.rs, validate_motd). */
const MOST_MESSAGE_BYTES = 4096;
/** Maximum bytes of one line of this message, from the same function. */
const MOST_LINE_BYTES = 1000;

function findMessageFault(text: string): string | undefined {
  if (/[^\P{Cc}\n\t]/u.test(text)) return "upstream shows only printable text, tabs and new lines";
  if (Buffer.byteLength(text) > MOST_MESSAGE_BYTES) return `a message has at most ${MOST_MESSAGE_BYTES} bytes`;
  const isLong = text.split("\n").some((line) => Buffer.byteLength(line) > MOST_LINE_BYTES);
  return isLong ? `a line of it has at most ${MOST_LINE_BYTES} bytes` : undefined;
}

const NO_PROGRAM = "it is not a service with a static program";

function findRestartFault(
  service: string,
  when: string,
  programs: ReadonlySet<string>,
  seen: ReadonlySet<string>,
): string | undefined {
  if (!RESTARTS.some((known) => known === when))
    return `a service can be restarted ${RESTARTS.join(", ")}: write \`"NAME on-failure"\``;
  if (!programs.has(service)) return NO_PROGRAM;
  return seen.has(service) ? "the page has it already" : undefined;
}
