import { listItems } from "../../../phases/bind/index.ts";
import { defineLaw } from "../../support/law.ts";
import { interfaceWithoutService } from "./codes.ts";

/**
 * Reports interfaces that the page itself classifies, but that no service has. Interfaces of the standard library and
 * of imports are not reported, because they are available to any page.
 */
export const rule = defineLaw({
  reports: [interfaceWithoutService],
  check: ({ model, trees }, report) => {
    if (model.damaged) return;
    const items = trees.flatMap(listItems);
    const written = new Set(items.flatMap((item) => (item.kind === "interface" ? [item.name.span] : [])));
    const served = new Set(model.services.map((service) => service.interface));
    // A service uses an interface if a grant of the service names this interface in place of another service.
    const held = new Set(model.services.flatMap(({ grants }) => grants.map(({ to }) => to.name)));
    for (const face of model.interfaces) {
      const { span } = face.node.name;
      // If no method could become a tool, that was already reported.
      if (written.has(span) && face.methods.size > 0 && !served.has(face) && !held.has(face.name)) {
        report(interfaceWithoutService.at(span, { face: face.node.name.text }));
      }
    }
  },
});
