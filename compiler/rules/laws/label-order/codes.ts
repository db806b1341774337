import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const labelOutOfOrder = defineDiagnostic<{ low: string; high: string }>({
  code: "label-out-of-order",
  severity: "error",
  say: ({ low, high }) => `\`${low}\` is not a lower label than \`${high}\``,
  because:
    "A range begins with its lower label. The second label must be at least as secret as the first, and at most as trusted.",
  help: () => "write the lower label first",
});

export const startsAboveClearance = defineDiagnostic<{ starts: string }>({
  code: "starts-above-clearance",
  severity: "error",
  say: ({ starts }) => `a conversation would start at \`${starts}\`, above the clearance of its session`,
  because: "Such a conversation could not read any result.",
  help: () => "raise `clearance`, or lower `starts`",
});
