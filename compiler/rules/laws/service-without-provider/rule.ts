import { defineLaw } from "../../support/law.ts";
import { serviceWithoutProvider } from "./codes.ts";

export const rule = defineLaw({
  reports: [serviceWithoutProvider],
  check: ({ model, provided }, report) => {
    for (const { interface: face, exec, node } of model.services) {
      // If the page names a program, a missing program was already reported.
      if (exec !== undefined || provided.has(face.name)) continue;
      report(serviceWithoutProvider.at(node.interface.span, { face: face.name, provided: [...provided.keys()] }));
    }
  },
});
