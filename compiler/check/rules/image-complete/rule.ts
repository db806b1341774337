import { rowSessions } from "../../../policy/index.ts";
import { defineLaw } from "../../law.ts";
import { bootAbstract, imageMissing } from "./codes.ts";

const WHOLE = "image { target linux  machine vm  boot SESSION }";

/** The page says what boots, and on what. */
export const rule = defineLaw({
  reports: [bootAbstract, imageMissing],
  check: ({ model }, report) => {
    const { system, image } = model;
    // A page that nobody could be in has a message of its own.
    if (rowSessions(model).length === 0) return;
    if (image === undefined) {
      if (system === undefined || model.damaged) return;
      report(imageMissing.at(system.name.span, { what: "what image to make", instead: WHOLE }));
      return;
    }
    const { boot, bootName, node } = image;
    if (boot?.abstract === true && bootName !== undefined) {
      report(bootAbstract.at(bootName.span, { session: bootName.text }));
    }
    if (node.damaged || model.damaged) return;
    const written = new Set(node.settings.map(({ name }) => name.text));
    const missing = (setting: string, what: string, instead: string) => {
      if (!written.has(setting)) report(imageMissing.at(node.span, { what, instead }));
    };
    missing("boot", "which session boots", "boot SESSION");
    missing("target", "what the image is for", "target linux");
    missing("machine", "what machine the image is for", "machine vm");
  },
});
