import { compareCodeUnits, type Span } from "../../../../lang/text/index.ts";
import type { Interface } from "../../../phases/bind/index.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { namesAlike } from "./codes.ts";
import { findAlike } from "./skeleton.ts";

/** Reports two names of services, of sessions, or of methods of one interface that look alike. */
export const rule = defineLaw({
  reports: [namesAlike],
  check: ({ model }, report) => {
    const services = model.services.map(({ name, node }) => ({ name, span: node.name.span }));
    checkAlike("service", services, report);
    const sessions = model.sessions
      .filter(({ own }) => own)
      .map(({ id, node }) => ({ name: id, span: node.name.span }));
    checkAlike("session", sessions, report);
    for (const face of new Set(model.services.map((service) => service.interface))) {
      checkAlike(`method of ${face.name}`, listMethods(face), report);
    }
  },
});

interface Named {
  readonly name: string;
  readonly span: Span;
}

/** Returns the methods of an interface, each with its position on the page, or else the position of the interface. */
function listMethods({ description, node }: Interface): readonly Named[] {
  const written = new Map(node.methods.map(({ name }) => [name.text, name.span]));
  const callable = description.methods.filter((method) => method.callable).map(({ name }) => name);
  return callable.sort(compareCodeUnits).map((name) => ({ name, span: written.get(name) ?? node.name.span }));
}

function checkAlike(what: string, named: readonly Named[], report: Report): void {
  for (const [{ name, span }, other] of findAlike(named, (one) => one.name)) {
    const related = [{ span: other.span, message: "this is the other one" }];
    report(namesAlike.at(span, { what, name, other: other.name }, { related }));
  }
}
