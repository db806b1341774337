// Renames tools in the model of a page, for the comparison of its assertions and tests. The model is changed, not the
// page, because names of methods come from schemas and lists of tools.

import {
  type Assertion,
  type BoundClaim,
  type BoundPattern,
  type BoundTest,
  listKeys,
  type Model,
  type Tool,
} from "../../phases/bind/index.ts";
import type { Rename } from "./rename.ts";

/** Returns the model with the new names of tools in its tools, assertions and tests. */
export function renameToolsInModel(model: Model, renames: readonly Rename[]): Model {
  if (renames.length === 0) return model;
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  const tools = new Map(model.tools.map((tool) => [tool, renameTool(tool, names)]));
  const methods = collectMethodKeys(tools);
  const renamePattern = (pattern: BoundPattern): BoundPattern => ({
    ...pattern,
    key: methods.get(pattern.key) ?? pattern.key,
    tools: pattern.tools.map((tool) => tools.get(tool) ?? tool),
  });
  return {
    ...model,
    tools: [...tools.values()],
    assertions: model.assertions.map((assertion) => ({
      ...renameAssertion(assertion, renamePattern),
      words: renameWords(assertion.words, collectWords(tools)),
    })),
    tests: model.tests.map((test) => renameTest(test, names)),
  };
}

function renameTool(tool: Tool, names: ReadonlyMap<string, string>): Tool {
  const name = names.get(tool.name);
  if (name === undefined) return tool;
  return { ...tool, name, method: { ...tool.method, name: name.slice(tool.service.name.length + 1) } };
}

/** Returns the new key of each pattern that names a renamed tool or its method, by the old key. */
function collectMethodKeys(tools: ReadonlyMap<Tool, Tool>): ReadonlyMap<string, string> {
  const pairs = [...tools].flatMap(([old, now]) => {
    const [one, other] = [listKeys(old), listKeys(now)];
    return old === now ? [] : one.map((key, index) => [key, other[index] ?? key] as const);
  });
  return new Map(pairs);
}

/**
 * Returns the new names of each renamed tool and its method, such as `notes.read` and `Files.read`, by the old names.
 */
function collectWords(tools: ReadonlyMap<Tool, Tool>): ReadonlyMap<string, string> {
  const listWords = ({ name, service, method }: Tool) => [name, `${service.interface.name}.${method.name}`];
  const pairs = [...tools].flatMap(([old, now]) => {
    const words = listWords(now);
    return old === now ? [] : listWords(old).map((word, index) => [word, words[index] ?? word] as const);
  });
  return new Map(pairs);
}

function renameWords(text: string, words: ReadonlyMap<string, string>): string {
  return text.replace(/[\w.-]+/g, (word) => words.get(word) ?? word);
}

function renameAssertion(assertion: Assertion, rename: (pattern: BoundPattern) => BoundPattern): Assertion {
  const { claim } = assertion;
  const isOfCalls = claim.kind === "never-call" || claim.kind === "always";
  const renamed: BoundClaim = isOfCalls ? { ...claim, patterns: claim.patterns.map(rename) } : claim;
  return { ...assertion, claim: renamed };
}

function renameTest(test: BoundTest, names: ReadonlyMap<string, string>): BoundTest {
  const steps = test.steps.map((step) =>
    step.kind === "call" ? { ...step, name: names.get(step.name) ?? step.name } : step,
  );
  return { ...test, steps };
}
