import { MODES } from "../../grammar/index.ts";
import type {
  AssertNode,
  Claim,
  GivenNode,
  Name,
  RedactionPart,
  ReleaseNode,
  SettingsNode,
  SettingValue,
  Step,
  UseNode,
} from "../../tree/index.ts";
import { renderLiteral, renderPatterns, renderQuota } from "../lines.ts";
import { renderBecause, renderLabel, renderName, renderReference } from "../text.ts";
import { renderJson, renderOptional, renderQuantity, renderRow, renderSubject, renderWords } from "./pieces.ts";

// Renders imports, releases, assertions, steps of tests, and the settings of a system.

export function renderUse(use: UseNode): string {
  if (use.what === "file") return `use ${renderWords(use.path)}`;
  if (use.what === "module") return `use ${renderName(use.root)}.${renderName(use.module)}`;
  return `use ${use.what} ${renderWords(use.path)} as ${renderName(use.alias)}`;
}

export function renderRedactionPart(part: RedactionPart): string {
  if (part.kind === "matches") return `matches ${part.patterns.map(renderWords).join(", ")}`;
  return `${part.kind} ${part.fields.map(renderReference).join(", ")}`;
}

/**
 * Returns the text of a release, such as `declassify fetch.get from secret:{hr} to public by stepUp for operator because "…"`.
 * This text is also the name of the release's rule.
 */
export function renderRelease({ act, tool, from, to, by, session, because }: ReleaseNode): string {
  const flow = `from ${renderLabel(from)} to ${renderLabel(to)} by ${by.mode}`;
  return `${act} ${renderReference(tool)} ${flow}${renderSubject(session)}${renderBecause(because)}`;
}

/** Returns a text such as `assert never flow secret to frontier without releases`. */
export function assertText({ claim, subject, withoutReleases }: AssertNode): string {
  return `assert ${renderClaim(claim)}${renderSubject(subject)}${withoutReleases ? " without releases" : ""}`;
}

function renderClaim(claim: Claim): string {
  switch (claim.kind) {
    case "never-flow":
      return `never flow ${renderLabel(claim.label)} to ${renderReference(claim.to)}`;
    case "never-trifecta":
      return "never trifecta";
    case "never-call":
      return `never call ${renderPatterns(claim.patterns)}${claim.ungated ? " ungated" : ""}${renderDirectly(claim)}`;
    case "always":
      return `always ${claim.mode.mode} ${renderPatterns(claim.patterns)}${renderDirectly(claim)}`;
    case "limit":
      return `limit ${renderQuota(claim.quota)}`;
  }
}

function renderDirectly({ directly }: { readonly directly: boolean }): string {
  return directly ? " directly" : "";
}

export function renderStep(step: Step): string {
  switch (step.kind) {
    case "as":
      return `as ${renderReference(step.who)}${renderGiven(step.given)}${step.unattended ? " unattended" : ""}`;
    case "say":
    case "paste":
      return `${step.kind} ${renderWords(step.text)}`;
    case "enter":
    case "infer":
      return `${step.kind} ${renderName(step.name)}${renderOutcome(step)}`;
    case "call": {
      const returning = renderOptional("returning", step.returning && renderLabel(step.returning));
      const giving = renderOptional("giving", step.giving && renderJson(step.giving));
      return `call ${renderReference(step.tool)} ${renderJson(step.arguments)}${returning}${giving}${renderOutcome(step)}`;
    }
  }
}

function renderGiven(given: readonly GivenNode[]): string {
  if (given.length === 0) return "";
  return `(${given.map(({ name, value }) => `${renderName(name)}: ${renderLiteral(value)}`).join(", ")})`;
}

function renderOutcome({ answer, expect }: Extract<Step, { readonly expect: Name }>): string {
  return `${renderOptional("answer", answer && renderName(answer))} expect ${expectText(expect)}`;
}

const MODE_WORDS: ReadonlySet<string> = new Set(MODES);

function expectText(expect: Name): string {
  return MODE_WORDS.has(expect.text) ? expect.text : renderName(expect);
}

export function renderSettings({ kind, settings }: SettingsNode): string {
  return `${kind} ${renderRow(settings.map(({ name, values }) => `${renderName(name)} ${values.map(renderSetting).join(", ")}`))}`;
}

function renderSetting(value: SettingValue): string {
  switch (value.kind) {
    case "name":
      return renderName(value.value);
    case "text":
      return renderWords(value.value);
    case "quantity":
      return renderQuantity(value.value);
  }
}
