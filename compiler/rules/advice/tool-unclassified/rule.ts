import { findUnclassified } from "../../../phases/bind/index.ts";
import { defineLaw } from "../../support/index.ts";
import { toolUnclassified } from "./codes.ts";

/**
 * Reports interfaces of the page's services in which some method has no category. An interface without a service is not
 * reported, because it needs no facts.
 */
export const rule = defineLaw({
  reports: [toolUnclassified],
  check: ({ model }, report) => {
    for (const face of new Set(model.services.map((service) => service.interface))) {
      const methods = findUnclassified(face);
      if (methods.length === 0) continue;
      const service = model.services.find((candidate) => candidate.interface === face);
      const at = service?.node.interface.span ?? face.node.name.span;
      report(toolUnclassified.at(at, { face: face.name, methods }));
    }
  },
});
