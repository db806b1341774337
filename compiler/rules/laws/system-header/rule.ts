import { RESERVED_NAMES } from "../../../../engine/lib/roles/index.ts";
import { MAX_NAME } from "../../../../lang/grammar/index.ts";
import type { Name } from "../../../../lang/tree/index.ts";
import type { Model } from "../../../phases/bind/index.ts";
import { defineLaw } from "../../support/law.ts";
import { listNarrowings } from "../../support/own-layers.ts";
import { nameTooLong, reservedName, wrongVersion } from "./codes.ts";

const VERSION = /^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){2}$/;

/** Checks that the version consists of numbers, and that names are valid for the processes and folders of the image. */
export const rule = defineLaw({
  reports: [nameTooLong, reservedName, wrongVersion],
  check: ({ model }, report) => {
    const version = model.system?.version;
    if (version !== undefined && !VERSION.test(version.value)) {
      report(wrongVersion.at(version.span, { version: version.value }));
    }
    for (const { name, node } of model.services) {
      if (RESERVED_NAMES.has(name)) report(reservedName.at(node.name.span, { name }));
    }
    for (const { text, span } of collectNames(model)) {
      if (text.length > MAX_NAME) report(nameTooLong.at(span, { limit: MAX_NAME }));
    }
  },
});

function collectNames(model: Model): Name[] {
  const { system, services, sessions, principals, weights, backends } = model;
  const declared = [...services, ...sessions, ...listNarrowings(model), ...principals, ...weights, ...backends];
  return [...(system === undefined ? [] : [system.name]), ...declared.map(({ node }) => node.name)];
}
