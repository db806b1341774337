import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const floorNeverReached = defineDiagnostic<{ layer: string; what: string }>({
  code: "floor-never-reached",
  severity: "error",
  say: ({ layer, what }) => `no conversation in \`${layer}\` can read ${what}`,
  because: "A session never reads data above its clearance, so the condition is never met.",
  help: () => "leave the block out, or correct the label",
});

export const floorChangesNothing = defineDiagnostic<{ pattern: string; mode: string }>({
  code: "floor-changes-nothing",
  severity: "error",
  say: ({ pattern, mode }) =>
    `no call of \`${pattern}\` has a looser mode than \`${mode}\` here, even without this floor`,
  because: "A floor that changes no decision suggests a protection that does not exist.",
  help: () => "delete the floor, or write a stricter mode",
});
