import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

const because = "A reader of the page expects that every declaration has an effect.";
const help = () => "leave the declaration out, or use it";

export const categoryUnused = defineDiagnostic<{ name: string }>({
  code: "category-unused",
  severity: "warning",
  say: ({ name }) => `no method has the category \`${name}\``,
  because,
  help,
});

export const serviceUnused = defineDiagnostic<{ name: string }>({
  code: "service-unused",
  severity: "warning",
  say: ({ name }) => `no session may use a tool of the service \`${name}\`, and no service has a grant of it`,
  because,
  help,
});

export const modelUnused = defineDiagnostic<{ name: string }>({
  code: "model-unused",
  severity: "warning",
  say: ({ name }) => `no backend runs the model \`${name}\``,
  because,
  help,
});

export const setUnused = defineDiagnostic<{ name: string }>({
  code: "set-unused",
  severity: "warning",
  say: ({ name }) => `no condition names the set \`${name}\``,
  because,
  help,
});

export const compartmentUnused = defineDiagnostic<{ name: string }>({
  code: "compartment-unused",
  severity: "warning",
  say: ({ name }) => `no label and no condition names the compartment \`${name}\``,
  because,
  help,
});

export const levelUnused = defineDiagnostic<{ name: string; lattice: string }>({
  code: "level-unused",
  severity: "warning",
  say: ({ name, lattice }) => `no label and no condition names the ${lattice} level \`${name}\``,
  because,
  help,
});
