import type { Span } from "../../../../lang/text/index.ts";
import { type BoundImage, getValueName } from "../../../phases/bind/index.ts";
import { selectRowSessions } from "../../../phases/policy/index.ts";
import { isForUpstream } from "../../../phases/policy/upstream/graph.ts";
import { defineLaw } from "../../support/law.ts";
import { bootAbstract, imageMissing, sealedByBios } from "./codes.ts";

const WHOLE = "image { target linux  machine vm  boot SESSION }";

/** Checks that the page states its boot session and its machine. */
export const rule = defineLaw({
  reports: [bootAbstract, imageMissing, sealedByBios],
  check: ({ model }, report) => {
    const { system, image } = model;
    // If the page has no session that can run, another message reports this.
    if (selectRowSessions(model).length === 0) return;
    if (image === undefined) {
      if (system === undefined || model.damaged) return;
      report(imageMissing.at(system.name.span, { what: "what image to make", instead: WHOLE }));
      return;
    }
    const { boot, bootName, trust, node } = image;
    if (boot?.abstract === true && bootName !== undefined) {
      report(bootAbstract.at(bootName.span, { session: bootName.text }));
    }
    const bios = findNamedValue(image, "firmware", "bios");
    if (trust === "sealed" && bios !== undefined) report(sealedByBios.at(bios, {}));
    if (node.damaged || model.damaged) return;
    const written = new Set(node.settings.map(({ name }) => name.text));
    const reportMissing = (setting: string, what: string, instead: string) => {
      if (!written.has(setting)) report(imageMissing.at(node.span, { what, instead }));
    };
    reportMissing("boot", "which session boots", "boot SESSION");
    reportMissing("target", "what the image is for", "target linux");
    if (!isForUpstream(model)) reportMissing("machine", "what machine the image is for", "machine vm");
  },
});

/** Returns the position of a word among the values of a setting, or `undefined` if the setting does not contain it. */
function findNamedValue({ node }: BoundImage, setting: string, word: string): Span | undefined {
  const values = node.settings.filter(({ name }) => name.text === setting).flatMap(({ values }) => values);
  return values.map(getValueName).find(({ text }) => text === word)?.span;
}
