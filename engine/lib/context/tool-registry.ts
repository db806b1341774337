// A registry of named tools, like a kernel's system call table: a tool that is not registered cannot be called. The registry does not
// decide who may call which tool; in the image the gate does.

import { isRecord, readJson } from "../policy/index.ts";
import { accept, type Result, refuse } from "../result/result.ts";

/** A tool takes its arguments as text, and returns a text or the reason for its failure. */
export type Tool = (args: string) => Promise<Result<string>>;

export interface ToolCall {
  readonly name: string;
  /** Text after the tool's name, without blanks at its ends. */
  readonly args: string;
}

export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;

  constructor(tools: ReadonlyMap<string, Tool>) {
    this.#tools = new Map(tools);
  }

  /** Names of the tools, in code-unit order. */
  get names(): readonly string[] {
    return [...this.#tools.keys()].sort();
  }

  async execute({ name, args }: ToolCall): Promise<Result<string>> {
    const tool = this.#tools.get(name);
    return tool === undefined ? refuse(`there is no tool ${JSON.stringify(name)}`) : tool(args);
  }
}

/** Returns the call that a person types as the line `/tool NAME ARGS`, or `undefined` for any other line. */
export function parseTypedCall(line: string): ToolCall | undefined {
  const words = /^\/tool(?!\S)\s*(\S*)([\s\S]*)$/.exec(line);
  return words === null ? undefined : { name: words[1] ?? "", args: (words[2] ?? "").trim() };
}

/** Returns the call that a model proposes as `{"tool": NAME, "args": WORDS}`. Fails for an answer in any other form. */
export function parseProposedCall(answer: string): Result<ToolCall> {
  const read = readJson(answer);
  if (!read.ok) return read;
  const { value } = read;
  if (!isRecord(value)) return refuse("no JSON object");
  const { tool: name, args, ...strangers } = value;
  const [stranger] = Object.keys(strangers);
  if (stranger !== undefined) return refuse(`"${stranger}" is not known here`);
  if (typeof name !== "string" || typeof args !== "string") return refuse('"tool" and "args" have to be texts');
  return accept({ name, args });
}
