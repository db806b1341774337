// Runs the real engine of Cedar with requests in the form that the comment at the beginning of an exported policy
// describes.

import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import {
  type IndexedTables,
  isRecord,
  type Json,
  type JsonRecord,
  listCompartments,
} from "../../../../engine/lib/policy/index.ts";
import type { Param } from "../../../../engine/lib/wire/generated/policy.ts";
import { exportCedar } from "../cedar/cedar.ts";
import { convertToCedarType } from "../cedar/schema.ts";
import { placeName } from "../cells.ts";
import { ANSWERS, type Answer } from "./answers.ts";
import type { Question } from "./questions.ts";

let systems = 0;

/**
 * Returns the faults that strict validation finds in policies and schema, and a function `ask` that evaluates a
 * request. `ask` works only if there are no faults.
 */
export function cedarEngine(tables: IndexedTables): {
  readonly faults: readonly string[];
  readonly ask: (asked: Question) => Answer;
} {
  const [policies, schema] = exportCedar(tables).files.map(({ text }) => text);
  if (policies === undefined || schema === undefined) throw new Error("two files are exported");
  const name = `tables-${systems++}`;
  const said = cedar.validate({ schema, policies: { staticPolicies: policies } });
  const faults =
    said.type === "failure"
      ? said.errors.map(({ message }) => message)
      : [...said.validationErrors, ...said.validationWarnings].map(({ error }) => error.message);
  if (faults.length === 0) {
    cedar.preparsePolicySet(name, { staticPolicies: policies });
    cedar.preparseSchema(name, schema);
  }
  return {
    faults,
    ask: (asked) => ANSWERS[[0, 1, 2].find((passed) => isAllowed(name, tables, asked, passed)) ?? 3] ?? "refused",
  };
}

function isAllowed(
  name: string,
  tables: IndexedTables,
  { conversation, tool, record }: Question,
  passed: number,
): boolean {
  const found = tables.tools.find((one) => one.name === tool);
  const row = tables.rows[conversation.row];
  const { lattice } = tables;
  if (found === undefined || row === undefined) return false;
  const { label, unattended } = conversation;
  const said = cedar.statefulIsAuthorized({
    principal: { type: "Place", id: placeName(row) },
    action: { type: "Action", id: tool },
    resource: { type: "Service", id: found.provider },
    context: {
      passed,
      unattended,
      label: {
        confidentiality: lattice.confidentiality[label.confidentiality] ?? "",
        integrity: lattice.integrity[label.integrity] ?? "",
        compartments: listCompartments(lattice, label.compartments),
      },
      arguments: sayable(found.params, record),
    },
    preparsedPolicySetId: name,
    preparsedSchemaName: name,
    validateRequest: true,
    entities: [],
  });
  if (said.type === "failure") throw new Error(said.errors.map(({ message }) => message).join("; "));
  return said.response.decision === "allow";
}

/** Returns the arguments that have a type in Cedar. */
function sayable(params: readonly Param[], record: JsonRecord): Record<string, cedar.CedarValueJson> {
  return Object.fromEntries(
    params.flatMap(({ name, type }): [string, cedar.CedarValueJson][] => {
      const value = record[name];
      if (value === undefined || convertToCedarType(type) === undefined) return [];
      return [[name, type.which === "record" && isRecord(value) ? sayable(type.record, value) : simple(value)]];
    }),
  );
}

function simple(value: Json): cedar.CedarValueJson {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw new Error("Cedar has no such value");
}
