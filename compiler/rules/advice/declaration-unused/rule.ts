import { listLineage } from "../../../phases/bind/index.ts";
import { defineLaw, findUsedServices, type Page, type Report } from "../../support/index.ts";
import { categoryUnused, compartmentUnused, levelUnused, modelUnused, serviceUnused } from "./codes.ts";
import { findUnusedLabels } from "./labels.ts";

/** Principals have a rule of their own, as have imports; a backend that nobody names is a law's. */
export const rule = defineLaw({
  reports: [categoryUnused, compartmentUnused, levelUnused, modelUnused, serviceUnused],
  check: (page, report) => {
    // What seems to be unused may have been used in what a syntax error took.
    if (page.model.damaged || page.model.sessions.some(({ damaged }) => damaged)) return;
    checkCategories(page, report);
    checkServices(page, report);
    checkModels(page, report);
    const { compartments, levels } = findUnusedLabels(page.trees);
    for (const { text, span } of compartments) report(compartmentUnused.at(span, { name: text }));
    for (const { text, span, lattice } of levels) report(levelUnused.at(span, { name: text, lattice }));
  },
});

function checkCategories({ model, trees }: Page, report: Report): void {
  const own = new Set(trees.map(({ source }) => source));
  const named = new Set(
    model.interfaces.flatMap(({ methods }) => [...methods.values()].map(({ category }) => category)),
  );
  const used = new Set([...named].flatMap(listLineage));
  for (const category of model.categories) {
    if (own.has(category.span.source) && !used.has(category)) {
      report(categoryUnused.at(category.span, { name: category.name }));
    }
  }
}

function checkServices(page: Page, report: Report): void {
  const used = findUsedServices(page);
  for (const { name, node } of page.model.services) {
    if (!used.has(name)) report(serviceUnused.at(node.name.span, { name }));
  }
}

function checkModels({ model }: Page, report: Report): void {
  const used = new Set(model.backends.flatMap((backend) => [backend.model, backend.embedder]));
  for (const weights of model.weights) {
    if (!used.has(weights)) report(modelUnused.at(weights.node.name.span, { name: weights.name }));
  }
}
