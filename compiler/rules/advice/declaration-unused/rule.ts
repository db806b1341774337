import { type BoundSource, listLineage } from "../../../phases/bind/index.ts";
import { defineLaw, findConditionalLines, findUsedServices, type Page, type Report } from "../../support/index.ts";
import { categoryUnused, compartmentUnused, levelUnused, modelUnused, serviceUnused, setUnused } from "./codes.ts";
import { findUnusedLabels } from "./labels.ts";

/** Reports unused declarations. Other rules report unused principals and imports, and a law reports unused backends. */
export const rule = defineLaw({
  reports: [categoryUnused, compartmentUnused, levelUnused, modelUnused, serviceUnused, setUnused],
  check: (page, report) => {
    // A declaration that seems unused may have been used in text that a syntax error removed.
    if (page.model.damaged || page.model.sessions.some(({ damaged }) => damaged)) return;
    checkCategories(page, report);
    checkServices(page, report);
    checkModels(page, report);
    checkSets(page, report);
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

/** Reports unused sets. A condition with `from page` uses the texts of every set. */
function checkSets({ model }: Page, report: Report): void {
  const checks = findConditionalLines(model).flatMap(({ checks }) => checks);
  const named = new Set(checks.flatMap(({ node: { test } }) => (test.kind === "in-set" ? test.set.text : [])));
  const isAsked = checks.some(({ sources }) => sources.some(isOfPage));
  for (const { name, literals, node } of model.sets) {
    if (named.has(name) || (isAsked && literals.some(({ kind }) => kind === "text"))) continue;
    report(setUnused.at(node.name.span, { name }));
  }
}

function isOfPage(source: BoundSource): boolean {
  if (source.kind !== "field") return source.kind === "page";
  return source.related.some(({ sources }) => sources.some(isOfPage));
}
