import { MODES } from "../../grammar/index.ts";
import type {
  AssertNode,
  Claim,
  Name,
  ReleaseNode,
  SettingsNode,
  SettingValue,
  Step,
  UseNode,
} from "../../tree/index.ts";
import { patternsText, quotaText } from "../lines.ts";
import { becauseText, labelText, nameText, referenceText } from "../text.ts";
import { jsonText, optional, quantityText, row, subjectText, wordsText } from "./pieces.ts";

// Imports, releases, assertions, steps of tests, and what a system runs on.

export function useText(use: UseNode): string {
  if (use.what === "file") return `use ${wordsText(use.path)}`;
  if (use.what === "module") return `use ${nameText(use.root)}.${nameText(use.module)}`;
  return `use ${use.what} ${wordsText(use.path)} as ${nameText(use.alias)}`;
}

/** `declassify fetch.get from secret:{hr} to public by stepUp for operator because "…"`: also what its rule is called. */
export function releaseText({ act, tool, from, to, by, session, because }: ReleaseNode): string {
  const flow = `from ${labelText(from)} to ${labelText(to)} by ${by.mode}`;
  return `${act} ${referenceText(tool)} ${flow}${subjectText(session)}${becauseText(because)}`;
}

/** `assert never flow secret to frontier without releases` */
export function assertText({ claim, subject, withoutReleases }: AssertNode): string {
  return `assert ${claimText(claim)}${subjectText(subject)}${withoutReleases ? " without releases" : ""}`;
}

function claimText(claim: Claim): string {
  switch (claim.kind) {
    case "never-flow":
      return `never flow ${labelText(claim.label)} to ${referenceText(claim.to)}`;
    case "never-trifecta":
      return "never trifecta";
    case "never-call":
      return `never call ${patternsText(claim.patterns)}${claim.ungated ? " ungated" : ""}`;
    case "always":
      return `always ${claim.mode.mode} ${patternsText(claim.patterns)}`;
    case "limit":
      return `limit ${quotaText(claim.quota)}`;
  }
}

export function stepText(step: Step): string {
  if (step.kind === "as") return `as ${referenceText(step.who)}${step.unattended ? " unattended" : ""}`;
  const outcome = `${optional("answer", step.answer && nameText(step.answer))} expect ${expectText(step.expect)}`;
  if (step.kind !== "call") return `${step.kind} ${nameText(step.name)}${outcome}`;
  const returning = optional("returning", step.returning && labelText(step.returning));
  return `call ${referenceText(step.tool)} ${jsonText(step.arguments)}${returning}${outcome}`;
}

const MODE_WORDS: ReadonlySet<string> = new Set(MODES);

function expectText(expect: Name): string {
  return MODE_WORDS.has(expect.text) ? expect.text : nameText(expect);
}

export function settingsText({ kind, settings }: SettingsNode): string {
  return `${kind} ${row(settings.map(({ name, values }) => `${nameText(name)} ${values.map(settingText).join(", ")}`))}`;
}

function settingText(value: SettingValue): string {
  switch (value.kind) {
    case "name":
      return nameText(value.value);
    case "text":
      return wordsText(value.value);
    case "quantity":
      return quantityText(value.value);
  }
}
