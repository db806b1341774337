import type { Part, WrittenGrammar } from "./ebnf.ts";

// Generates sentences of the written grammar. A list of numbers determines the choices. When the list ends, the sentence is completed in
// the shortest way. Fewer and smaller numbers give a shorter sentence, so fast-check can shrink a failing example.

/** Terminals for names, numbers and texts of the grammar, at least one of each. Texts include their quotes. */
export interface Terminals {
  readonly names: readonly string[];
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Numbers that decide, one after the other, between the alternatives of a grammar. After the last number, zero is used
 * each time.
 */
export class Choices {
  private readonly numbers: readonly number[];
  private index = 0;

  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }

  get spent(): boolean {
    return this.index >= this.numbers.length;
  }

  /** Returns a number below `limit`. */
  below(limit: number): number {
    const number = this.numbers[this.index] ?? 0;
    this.index++;
    return number % limit;
  }

  of<T>(values: readonly T[], none: T): T {
    return values[this.below(Math.max(1, values.length))] ?? none;
  }
}

/** Before each element, a repetition ends with a probability of 1 in this number. */
const TIMES = 4;

export class Sentences {
  private readonly grammar: WrittenGrammar;
  private readonly terminals: Terminals;
  private readonly heights = new Map<string, number>();

  constructor(grammar: WrittenGrammar, terminals: Terminals) {
    this.grammar = grammar;
    this.terminals = terminals;
    this.measure();
  }

  /** Returns the words and signs of consecutive sentences of a rule, until the choices are used up. */
  of(rule: string, choices: Choices): string[] {
    const words: string[] = [];
    while (!choices.spent) this.write({ kind: "rule", name: rule }, choices, words);
    return words;
  }

  private write(part: Part, choices: Choices, words: string[]): void {
    switch (part.kind) {
      case "word":
        words.push(part.text);
        return;
      case "rule":
        this.writeRule(part.name, choices, words);
        return;
      case "sequence":
        for (const each of part.parts) this.write(each, choices, words);
        return;
      case "choice":
        this.write(this.chosen(part.parts, choices), choices, words);
        return;
      case "optional":
        if (choices.below(2) === 1) this.write(part.part, choices, words);
        return;
      case "repeated":
        while (!choices.spent && choices.below(TIMES) !== 0) this.write(part.part, choices, words);
    }
  }

  private writeRule(name: string, choices: Choices, words: string[]): void {
    const { names, numbers, texts } = this.terminals;
    const rule = this.grammar.get(name);
    if (name === "ID") words.push(choices.of(names, "a"));
    else if (name === "NUM") words.push(choices.of(numbers, "1"));
    else if (name === "STR") words.push(choices.of(texts, '""'));
    else if (rule === undefined) throw new Error(`the written grammar has no rule ${name}`);
    else this.write(rule, choices, words);
  }

  private chosen(parts: readonly Part[], choices: Choices): Part {
    const [first = { kind: "sequence", parts: [] }, ...others] = parts;
    if (!choices.spent) return choices.of(parts, first);
    return others.reduce((lowest, part) => (this.height(part) < this.height(lowest) ? part : lowest), first);
  }

  /**
   * Returns the depth to which rules are nested in the shortest sentence of a part. When the choices are used up, the shortest
   * sentences are written, so that generation ends.
   */
  private height(part: Part): number {
    switch (part.kind) {
      case "word":
      case "optional":
      case "repeated":
        return 0;
      case "rule":
        return ["ID", "NUM", "STR"].includes(part.name) ? 0 : (this.heights.get(part.name) ?? Number.POSITIVE_INFINITY);
      case "sequence":
        return Math.max(0, ...part.parts.map((each) => this.height(each)));
      case "choice":
        return Math.min(...part.parts.map((each) => this.height(each)));
    }
  }

  private measure(): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const [name, part] of this.grammar) {
        const height = this.height(part) + 1;
        if (height >= (this.heights.get(name) ?? Number.POSITIVE_INFINITY)) continue;
        this.heights.set(name, height);
        changed = true;
      }
    }
  }
}
