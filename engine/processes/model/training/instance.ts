// A tool as a model is offered it, and a call of it as a person asks for it and as the grammar has it written.

import { canonicalText, type Json, type JsonRecord } from "../../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { callText } from "../local/chat.ts";
import type { ParamPlan, ToolPlan } from "./families.ts";
import type { Random } from "./random.ts";
import { chosen, filled, namedIn } from "./template.ts";
import type { Value } from "./value.ts";
import { membersOf, schemaOf, someValue } from "./values.ts";
import type { World } from "./vocabulary.ts";

export interface ToolInstance {
  readonly plan: ToolPlan;
  readonly descriptor: ToolDescriptor;
  /** What this one calls a parameter, by its name in the plan. */
  readonly keys: ReadonlyMap<ParamPlan, string>;
}

export interface Asked {
  readonly user: string;
  readonly name: string;
  readonly arguments: JsonRecord;
  /** As the model is to write it. */
  readonly call: string;
}

/** `isVaried`: with any of the plan's names; else with the first ones. */
export function toolOf(plan: ToolPlan, service: string, random: Random, isVaried: boolean): ToolInstance {
  const name = <T>(names: readonly T[]): T => random.pick(isVaried ? names : names.slice(0, 1));
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
    paramSchema: canonicalText(parametersOf(plan, keys)),
    permission: "auto",
    category: "",
  };
  return { plan, descriptor, keys };
}

function parametersOf({ params }: ToolPlan, keys: ToolInstance["keys"]): JsonRecord {
  const key = (param: ParamPlan): string => keys.get(param) ?? "";
  const described = (param: ParamPlan): JsonRecord =>
    param.note === "" ? schemaOf(param.kind) : { ...schemaOf(param.kind), description: param.note };
  return {
    additionalProperties: false,
    properties: Object.fromEntries(params.map((param) => [key(param), described(param)])),
    required: params.filter(({ isOptional }) => !isOptional).map(key),
    type: "object",
  };
}

/** Somebody asks for the tool in the words of one template. */
export function asked(tool: ToolInstance, template: string, random: Random, world: World): Asked {
  const text = chosen(template, random);
  const said = new Map<string, string>();
  const given: (readonly [param: ParamPlan, value: Json])[] = [];
  for (const param of tool.plan.params) {
    const [name = ""] = param.names;
    const named = namedIn(text).filter((each) => each.name === name || each.name.startsWith(`${name}.`));
    const [first] = named;
    if (first === undefined) {
      if (!param.isOptional) throw new Error(`${name} is missing: ${template}`);
      continue;
    }
    const { value, texts } = valueFor(param, first.words, random, world);
    for (const [place, word] of texts) said.set(place, word);
    given.push([param, value]);
  }
  const argumentsJson = written(tool, given);
  return {
    user: filled(text, ({ name }) => wordFor(said, name, template)),
    name: tool.descriptor.name,
    arguments: argumentsJson,
    call: callText({ name: tool.descriptor.name, arguments: JSON.stringify(argumentsJson) }),
  };
}

function wordFor(said: ReadonlyMap<string, string>, name: string, template: string): string {
  const word = said.get(name);
  if (word === undefined) throw new Error(`nothing is called ${name}: ${template}`);
  return word;
}

/** In the grammar's order: required ones first, each by name. */
function written(tool: ToolInstance, given: readonly (readonly [ParamPlan, Json])[]): JsonRecord {
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
  /** By placeholder. */
  readonly texts: readonly (readonly [place: string, word: string])[];
}

function valueFor({ names, kind }: ParamPlan, words: readonly string[], random: Random, world: World): Filling {
  const [name = ""] = names;
  const members = membersOf(kind);
  if (members !== undefined) {
    const inner = members.map(([key, each]) => [key, someValue(each, random, world)] as const);
    return {
      value: Object.fromEntries(
        [...inner].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value }]) => [key, value]),
      ),
      texts: inner.map(([key, { said }]) => [`${name}.${key}`, said]),
    };
  }
  if (kind === "bool") {
    const isTrue = random.chance(0.5);
    return { value: isTrue, texts: [[name, (isTrue ? words[0] : words[1]) ?? ""]] };
  }
  const value = someValue(kind, random, world);
  return { value: value.value, texts: [[name, quoted(value, random)]] };
}

/** Some people put quotes around what is to be taken as it is. */
function quoted({ said, isText }: Value, random: Random): string {
  if (!isText || said.includes("'") || !random.chance(0.12)) return said;
  return random.chance(0.5) ? `'${said}'` : `\`${said}\``;
}
