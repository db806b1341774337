import { renderLabel } from "../../../../lang/format/index.ts";
import type { RedactedField, Redaction } from "../../../phases/bind/index.ts";
import { defineLaw, isBelow, type Report } from "../../support/index.ts";
import { redactionRepeated, redactionWithoutBackend } from "./codes.ts";

/** Reports redactions that mask nothing, or only text that other redactions mask. */
export const rule = defineLaw({
  reports: [redactionWithoutBackend, redactionRepeated],
  check: ({ model }, report) => {
    if (model.damaged) return;
    for (const redaction of model.redactions) {
      const { name, label, node } = redaction;
      const isApplied = model.backends.some(({ clearance }) => !isBelow(label, clearance));
      if (!isApplied) report(redactionWithoutBackend.at(node.name.span, { name, label: renderLabel(node.label) }));
      else checkRepeated(redaction, model.redactions, report);
    }
  },
});

/**
 * Reports patterns and fields of a redaction that another redaction with the same or a lower label contains too.
 * Because of its label, the other redaction applies to all backends to which this redaction applies.
 */
function checkRepeated(redaction: Redaction, all: readonly Redaction[], report: Report): void {
  const { name, label, patterns, fields } = redaction;
  const others = all.filter((one) => one !== redaction && isBelow(one.label, label) && isFirst(one, redaction));
  for (const pattern of patterns) {
    const other = others.find((one) => one.patterns.some(({ value }) => value === pattern.value));
    if (other === undefined) continue;
    const by = `\`${other.name}\` has the same pattern`;
    report(redactionRepeated.at(pattern.span, { name, what: `\`${pattern.value}\``, by }));
  }
  for (const field of fields) {
    const other = others.find((one) =>
      one.fields.some((named) => named.of === field.of && named.node.text === field.node.text),
    );
    const by = other === undefined ? describeResultMask(field) : `\`${other.name}\` has the same field`;
    if (by !== undefined) report(redactionRepeated.at(field.node.span, { name, what: `\`${field.node.text}\``, by }));
  }
}

/**
 * Returns whether the redaction `one` makes an equal part of `other` superfluous. This is so if `one` has the lower
 * label, or if the labels are equal and `one` comes first on the page.
 */
function isFirst(one: Redaction, other: Redaction): boolean {
  return !isBelow(other.label, one.label) || one.node.span.start < other.node.span.start;
}

function describeResultMask({ of, service, method, field }: RedactedField): string | undefined {
  if (of !== "result") return undefined;
  const masked = service.interface.methods.get(method)?.redact ?? [];
  const isMasked = masked.some((path) => field === path || field.startsWith(`${path}.`));
  return isMasked ? "the interface masks it in every result" : undefined;
}
