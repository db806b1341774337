import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const labelOutOfOrder = defineDiagnostic<{ low: string; high: string }>({
  code: "label-out-of-order",
  severity: "error",
  say: ({ low, high }) => `\`${low}\` is not below \`${high}\``,
  because: "A range goes from what may flow further to what may flow less far: more secret, or less trusted.",
  help: () => "write the lower label first",
});

export const startsAboveClearance = defineDiagnostic<{ starts: string }>({
  code: "starts-above-clearance",
  severity: "error",
  say: ({ starts }) => `a conversation would start at \`${starts}\`, above what its session is cleared for`,
  because: "Everything such a conversation saw would be withheld from it.",
  help: () => "raise the clearance, or start lower",
});
