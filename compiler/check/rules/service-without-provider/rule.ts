import { defineLaw } from "../../law.ts";
import { serviceWithoutProvider } from "./codes.ts";

export const rule = defineLaw({
  reports: [serviceWithoutProvider],
  check: ({ model, provided }, report) => {
    for (const { interface: face, node } of model.services) {
      if (provided.has(face.name)) continue;
      report(serviceWithoutProvider.at(node.interface.span, { face: face.name, provided: [...provided.keys()] }));
    }
  },
});
