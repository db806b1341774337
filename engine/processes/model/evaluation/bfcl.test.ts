import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderSignature } from "../local/signature.ts";
import { readBfclCases } from "./bfcl.ts";

const question = [[{ role: "user", content: "Area of 3 by 4?" }]];
const parameters = {
  type: "dict",
  properties: {
    sides: { type: "array", items: { type: "float" }, description: "Both." },
    unit: { type: "string", enum: ["m", "ft"] },
    style: { type: "dict", properties: { bold: { type: "boolean" } }, required: [] },
  },
  required: ["sides"],
};
const named = (name: string, given: object) => ({ name, description: "Finds it.", parameters: given });
const unknown = { type: "dict", properties: { x: { type: "any" } }, required: ["x"] };

function written(lines: readonly object[], answers: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), "capos-bfcl-"));
  mkdirSync(join(folder, "possible_answer"));
  const text = (each: readonly object[]): string => each.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, "BFCL_v4_simple_python.json"), text(lines));
  writeFileSync(join(folder, "BFCL_v4_irrelevance.json"), text(lines));
  writeFileSync(join(folder, "possible_answer/BFCL_v4_simple_python.json"), text(answers));
  return folder;
}

test("converts Python functions to tools; a function that the grammar cannot spell is counted, but not converted", () => {
  const folder = written(
    [
      { id: "simple_0", question, function: [named("area.of", parameters)] },
      { id: "simple_1", question, function: [named("any", unknown)] },
    ],
    [
      { id: "simple_0", ground_truth: [{ "area.of": { sides: [[3, 4]], unit: ["", "m"] } }] },
      { id: "simple_1", ground_truth: [{ any: { x: [1] } }] },
    ],
  );
  try {
    const { cases, published } = readBfclCases("simple", folder);
    expect([cases.length, published]).toEqual([1, 2]);
    const [tool] = cases[0]?.tools ?? [];
    expect(tool && renderSignature(tool)).toBe(
      "area.of(sides: [number] (Both.), style?: {bold?: bool}, unit?: m|ft): Finds it.",
    );
    expect(cases[0]?.wanted).toEqual({
      kind: "possible",
      name: "area.of",
      options: { sides: [[3, 4]], unit: ["", "m"] },
    });
    expect(readBfclCases("irrelevance", folder).cases.map(({ wanted }) => wanted.kind)).toEqual(["words", "words"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
