// Collects facts from tables about the system, its backends, principals and ingresses.

import { formatLabel, formatSecrecy, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Backend, RedactionField } from "../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import { measureCategory } from "./categories.ts";
import { type Fact, type FactContent, type Measure, measureLabel, measureMembers, measureRank, WORD } from "./facts.ts";

export function collectTableFacts(tables: IndexedTables): readonly Fact[] {
  return [
    ...collectSystemFacts(tables),
    ...collectBackendFacts(tables),
    ...collectPrincipalFacts(tables),
    ...collectIngressFacts(tables),
    ...collectRedactionFacts(tables),
    ...collectAuditFacts(tables),
  ];
}

function collectSystemFacts(tables: IndexedTables): readonly Fact[] {
  const { systemId, lattice, categories, pageTexts } = tables;
  const of = { place: "", measure: WORD, without: "other" } as const;
  return [
    { ...of, what: "system", value: systemId },
    { ...of, what: "confidentiality", ...makeLevelOrder(lattice.confidentiality) },
    { ...of, what: "integrity", ...makeLevelOrder(lattice.integrity) },
    { ...of, what: "compartments", value: lattice.compartments.join(", ") },
    // A condition `from page` accepts every text of the page, so a new text is a widening.
    ...pageTexts.map(
      (text) =>
        ({ ...of, what: `text of the page ${JSON.stringify(text)}`, value: "written", without: "less" }) as const,
    ),
    ...categories.map(({ name, parent }, index) => ({
      ...of,
      what: `category ${name}`,
      value: categories[parent]?.name ?? "a root",
      measure: measureCategory(tables, index),
    })),
  ];
}

function makeLevelOrder(names: readonly string[]): Pick<Fact, "value" | "measure"> {
  return { value: names.join(" < "), measure: { kind: "order", names } };
}

function collectBackendFacts({ backends, lattice }: IndexedTables): readonly Fact[] {
  return backends.flatMap((backend): readonly Fact[] => {
    const { name, kind, clearance, local, logRequired, embedder, contextTokens } = backend;
    const of = { place: `backend ${name}`, without: "other", owner: { kind: "backend", name } } as const;
    return [
      // A change of the backend's kind concerns only sessions that list the backend.
      { ...of, what: "kind", value: kind, measure: measureMembers([kind]) },
      {
        ...of,
        what: "clearance",
        value: formatLabel(lattice, clearance),
        measure: measureLabel(lattice, clearance, "above"),
      },
      { ...of, what: "where", value: local ? "in the machine" : "elsewhere", measure: measureRank(local ? 0 : 1) },
      {
        ...of,
        what: "log",
        value: logRequired ? "required" : "not required",
        measure: measureRank(logRequired ? 0 : 1),
      },
      // Maximum number of tokens that one answer, with its prompt, may use of a quota.
      ...listNonEmpty(contextTokens === 0 ? "" : `${contextTokens} tokens`).map((context) => {
        return { ...of, what: "context", value: context, measure: measureMembers([context]) } as const;
      }),
      // An embedder receives the messages too, not only the backend, so it is a fact of the backend.
      ...listNonEmpty(embedder).map((model) => {
        return {
          ...of,
          what: "is beside an embedder",
          value: model,
          measure: measureMembers([model]),
          without: "less",
        } as const;
      }),
      ...collectPriceFacts(backend).map((said) => ({ ...of, ...said })),
    ];
  });
}

/** Returns the facts of prices. A lower price is wider, because a quota of money then buys more tokens. */
function collectPriceFacts({ currency, inputMicros, outputMicros }: Backend): readonly FactContent[] {
  const prices = { asked: inputMicros, answered: outputMicros };
  return listNonEmpty(currency).flatMap(() => [
    { what: "price in", value: currency, measure: measureMembers([currency]), without: "other" },
    ...Object.entries(prices).map(([tokens, micros]): FactContent => {
      const measure: Measure = { kind: "ranked", rank: -micros };
      return {
        what: `price of tokens that are ${tokens}, a million`,
        value: `${micros} millionths`,
        measure,
        without: "told",
      };
    }),
  ]);
}

function listNonEmpty(name: string): readonly string[] {
  return name === "" ? [] : [name];
}

function collectPrincipalFacts({ principals }: IndexedTables): readonly Fact[] {
  return principals.flatMap(({ name, keys, passphrase }) => {
    const of = {
      place: `principal ${name}`,
      measure: WORD,
      without: "less",
      owner: { kind: "principal", name },
    } as const;
    const known = passphrase === "" ? [] : [{ ...of, what: `passphrase ${passphrase}`, value: "opens sessions" }];
    return [...keys.map((key) => ({ ...of, what: `key ${key}`, value: "signs" })), ...known];
  });
}

function collectIngressFacts({ ingresses, rows, lattice }: IndexedTables): readonly Fact[] {
  return ingresses.flatMap(({ name, source, address, row, label: begun, zone, missed, says }): readonly Fact[] => {
    const place = `ingress ${name}`;
    const into = rows[row];
    const of = { place, without: "less" } as const;
    const times = [zone === "" ? "" : `in ${zone}`, missed === "" ? "" : `missed ${missed}`];
    const from = [source, address, ...times].filter((part) => part !== "").join(" ");
    const led = into === undefined ? "" : formatRowPath(into);
    return [
      // Each change of these values is reported: another source may bring messages of other people, and another session
      // may have more rights.
      { ...of, what: "words from", value: from, measure: measureMembers([from]) },
      { ...of, what: "into", value: led, measure: measureMembers([led]) },
      { ...of, what: "label", value: formatLabel(lattice, begun), measure: measureLabel(lattice, begun, "below") },
      // Another message may ask the agent for other work.
      ...(says === "" ? [] : [{ ...of, what: "message", value: says, measure: measureMembers([says]) }]),
    ];
  });
}

/** Returns the facts of redactions. If a redaction masks less, this is a widening. */
function collectRedactionFacts({ redactions, lattice }: IndexedTables): readonly Fact[] {
  return redactions.flatMap(({ name, label, patterns, results, arguments: args }): readonly Fact[] => {
    const of = { place: `redaction ${name}`, measure: WORD, without: "more" } as const;
    const nameField = (field: RedactionField) => `${field.tool}.${field.name}`;
    return [
      { ...of, what: "label", value: formatSecrecy(lattice, label), measure: measureLabel(lattice, label, "below") },
      ...patterns.map((pattern) => ({ ...of, what: `pattern ${JSON.stringify(pattern)}`, value: "masked" })),
      ...results.map((field) => ({ ...of, what: `result ${nameField(field)}`, value: "masked" })),
      ...args.map((field) => ({ ...of, what: `argument ${nameField(field)}`, value: "masked" })),
    ];
  });
}

/**
 * Returns the facts of the audit log. A log that keeps more text reveals more to its readers, and a log that releases
 * records loses evidence. So both changes are widenings.
 */
function collectAuditFacts({ audit: { hasLimit, above, keep }, lattice }: IndexedTables): readonly Fact[] {
  const what = "label above which the log keeps only digests";
  const measure = measureLabel(lattice, above, "above");
  const limit: Fact = { place: "audit", what, value: formatSecrecy(lattice, above), measure, without: "more" };
  const released: Fact = {
    place: "audit",
    what: "a full log releases its oldest records",
    value: keep === "untilShipped" ? "once they are shipped" : "once they are exported",
    measure: measureMembers([keep]),
    without: "less",
  };
  return [...(hasLimit ? [limit] : []), ...(keep === "always" ? [] : [released])];
}
