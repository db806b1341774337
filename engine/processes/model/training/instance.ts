// Makes a tool as it is offered to a model, and a call of the tool in two forms: as a person requests it, and as the grammar writes it.

import { type Json, type JsonRecord, renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { callText } from "../local/chat.ts";
import type { ParamPlan, ToolPlan } from "./families.ts";
import type { Random } from "./random.ts";
import { chooseText, fillTemplate, findNamed } from "./template.ts";
import type { Value } from "./value.ts";
import { deriveSchema, makeValue, parseMembers } from "./values.ts";
import type { World } from "./vocabulary.ts";

export interface ToolInstance {
  readonly plan: ToolPlan;
  readonly descriptor: ToolDescriptor;
  /** Names of the parameters in this instance, by the parameter of the plan. */
  readonly keys: ReadonlyMap<ParamPlan, string>;
}

export interface TrainingCall {
  readonly user: string;
  readonly name: string;
  readonly arguments: JsonRecord;
  /** The call in the form that the model has to write. */
  readonly call: string;
}

/**
 * Returns an instance of a tool. The plan lists several names for the tool and for each parameter. With `varied` the
 * instance has random names of these lists, with `first` always the first ones.
 */
export function createTool(plan: ToolPlan, service: string, random: Random, naming: "varied" | "first"): ToolInstance {
  const name = <T>(names: readonly T[]): T => random.pick(naming === "varied" ? names : names.slice(0, 1));
  const keys = new Map<ParamPlan, string>();
  for (const param of plan.params) {
    const free = param.names.filter((each) => ![...keys.values()].includes(each));
    keys.set(param, name(free));
  }
  const descriptor: ToolDescriptor = {
    name: `${service}.${name(plan.names)}`,
    description: random.pick(plan.says),
    interfaceId: 0n,
    methodName: "",
    paramSchema: renderCanonicalJson(buildParameters(plan, keys)),
    permission: "auto",
    category: "",
  };
  return { plan, descriptor, keys };
}

function buildParameters({ params }: ToolPlan, keys: ToolInstance["keys"]): JsonRecord {
  const getKey = (param: ParamPlan): string => keys.get(param) ?? "";
  const describeParam = (param: ParamPlan): JsonRecord =>
    param.note === "" ? deriveSchema(param.kind) : { ...deriveSchema(param.kind), description: param.note };
  return {
    additionalProperties: false,
    properties: Object.fromEntries(params.map((param) => [getKey(param), describeParam(param)])),
    required: params.filter(({ isOptional }) => !isOptional).map(getKey),
    type: "object",
  };
}

/** Returns a request for the tool in the words of one template. */
export function createRequest(tool: ToolInstance, template: string, random: Random, world: World): TrainingCall {
  const text = chooseText(template, random);
  const said = new Map<string, string>();
  const given: (readonly [param: ParamPlan, value: Json])[] = [];
  for (const param of tool.plan.params) {
    const [name = ""] = param.names;
    const named = findNamed(text).filter((each) => each.name === name || each.name.startsWith(`${name}.`));
    const [first] = named;
    if (first === undefined) {
      if (!param.isOptional) throw new Error(`${name} is missing: ${template}`);
      continue;
    }
    const { value, texts } = createFilling(param, first.words, random, world);
    for (const [place, word] of texts) said.set(place, word);
    given.push([param, value]);
  }
  const argumentsJson = orderArguments(tool, given);
  return {
    user: fillTemplate(text, ({ name }) => getWord(said, name, template)),
    name: tool.descriptor.name,
    arguments: argumentsJson,
    call: callText({ name: tool.descriptor.name, arguments: JSON.stringify(argumentsJson) }),
  };
}

function getWord(said: ReadonlyMap<string, string>, name: string, template: string): string {
  const word = said.get(name);
  if (word === undefined) throw new Error(`nothing is called ${name}: ${template}`);
  return word;
}

/**
 * Returns the arguments in the grammar's order: first the required ones, then the optional ones, both sorted by name.
 */
function orderArguments(tool: ToolInstance, given: readonly (readonly [ParamPlan, Json])[]): JsonRecord {
  const entries = given.map(([param, value]) => ({
    key: tool.keys.get(param) ?? "",
    value,
    isOptional: param.isOptional,
  }));
  const ordered = [false, true].flatMap((is) =>
    entries.filter(({ isOptional }) => isOptional === is).sort((a, b) => (a.key < b.key ? -1 : 1)),
  );
  return Object.fromEntries(ordered.map(({ key, value }) => [key, value]));
}

interface Filling {
  readonly value: Json;
  /** Words that fill a template, by placeholder. */
  readonly texts: readonly (readonly [place: string, word: string])[];
}

function createFilling({ names, kind }: ParamPlan, words: readonly string[], random: Random, world: World): Filling {
  const [name = ""] = names;
  const members = parseMembers(kind);
  if (members !== undefined) {
    const inner = members.map(([key, each]) => [key, makeValue(each, random, world)] as const);
    return {
      value: Object.fromEntries(
        [...inner].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value }]) => [key, value]),
      ),
      texts: inner.map(([key, { said }]) => [`${name}.${key}`, said]),
    };
  }
  if (kind === "bool") {
    const isTrue = random.flipCoin(0.5);
    return { value: isTrue, texts: [[name, (isTrue ? words[0] : words[1]) ?? ""]] };
  }
  const value = makeValue(kind, random, world);
  return { value: value.value, texts: [[name, quoteValue(value, random)]] };
}

/** Returns a value in quotes for a part of the requests, as some people quote literal text. */
function quoteValue({ said, isText }: Value, random: Random): string {
  if (!isText || said.includes("'") || !random.flipCoin(0.12)) return said;
  return random.flipCoin(0.5) ? `'${said}'` : `\`${said}\``;
}
