import { EMPTY_ALT, type TokenType } from "chevrotain";
import type {
  Check,
  Comparison,
  Line,
  Literal,
  Name,
  Operand,
  ParameterNode,
  ParameterTest,
  Pattern,
  Reference,
  RelatedNode,
  SourceNode,
  Term,
  Test,
  WhereClause,
  Words,
} from "../../tree/index.ts";
import { isPresence } from "../presence.ts";
import { MODES } from "../vocabulary.ts";
import type { Rule } from "./reading.ts";
import {
  CloseBracket,
  CloseParen,
  Comma,
  Dot,
  Equal,
  Greater,
  GreaterOrEqual,
  getKeywordType,
  Less,
  LessOrEqual,
  NotEqual,
  OpenBracket,
  OpenParen,
  Star,
} from "./token-types.ts";
import { WordGrammar } from "./word-grammar.ts";

/** Parses permission lines: mode, patterns, `where … else`. */
export class LineGrammar extends WordGrammar {
  line: Rule<Line> = this.declareRule("line", () => {
    const start = this.start();
    const mode = this.SUBRULE(this.mode);
    const patterns = this.SUBRULE(this.patterns);
    const where = this.OPTION(() => this.SUBRULE(this.where));
    const because = this.OPTION1(() => this.SUBRULE(this.because));
    return { mode, isInherited: false, patterns, where, because, span: this.closeSpan(start) };
  });

  permission: Rule<Line> = this.declareRule("permission", () =>
    this.parseOneOf<Line>([{ ALT: () => this.SUBRULE(this.inherited) }, { ALT: () => this.SUBRULE(this.line) }]),
  );

  /** `inherit PATTERNS where … else MODE`: if the conditions hold, the modes of the surrounding session apply. */
  inherited: Rule<Line> = this.declareRule("inherited", () => {
    const start = this.start();
    const token = this.CONSUME(getKeywordType("inherit"));
    const mode: Line["mode"] = { mode: "auto", span: this.getTokenSpan(token) };
    const patterns = this.SUBRULE(this.patterns);
    const where = this.SUBRULE(this.where);
    const because = this.OPTION(() => this.SUBRULE(this.because));
    return { mode, isInherited: true, patterns, where, because, span: this.closeSpan(start) };
  });

  patterns: Rule<Pattern[]> = this.declareRule("patterns", () => {
    const patterns: Pattern[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => patterns.push(this.SUBRULE(this.pattern)) });
    return patterns;
  });

  pattern: Rule<Pattern> = this.declareRule("pattern", () =>
    this.parseOneOf([{ ALT: () => this.SUBRULE(this.everything) }, { ALT: () => this.SUBRULE(this.namedPattern) }]),
  );

  everything: Rule<Pattern> = this.declareRule("everything", () => {
    const token = this.CONSUME(Star);
    return { kind: "everything", span: this.getTokenSpan(token) };
  });

  namedPattern: Rule<Pattern> = this.declareRule("namedPattern", () => {
    const start = this.start();
    const parts = [this.SUBRULE(this.name)];
    this.MANY(() => {
      this.CONSUME(Dot);
      parts.push(this.SUBRULE(this.member));
    });
    const rest = this.OPTION(() =>
      this.parseOneOf<"all" | Reference>([
        {
          ALT: () => {
            this.CONSUME1(Dot);
            this.CONSUME(Star);
            return "all";
          },
        },
        {
          ALT: () => {
            this.CONSUME(getKeywordType("in"));
            return this.SUBRULE(this.reference);
          },
        },
      ]),
    );
    return this.ACTION((): Pattern => {
      const name = this.joinParts(parts);
      const span = this.closeSpan(start);
      if (rest === undefined) return { kind: "named", name, span };
      return rest === "all" ? { kind: "all-of", name, span } : { kind: "within", name, owner: rest, span };
    });
  });

  where: Rule<WhereClause> = this.declareRule("where", () => {
    const start = this.start();
    const checks = this.SUBRULE(this.checks);
    this.CONSUME(getKeywordType("else"));
    const otherwise = this.SUBRULE(this.mode);
    return { checks, otherwise, span: this.closeSpan(start) };
  });

  checks: Rule<Check[]> = this.declareRule("checks", () => {
    const checks: Check[] = [];
    this.CONSUME(getKeywordType("where"));
    this.AT_LEAST_ONE_SEP({ SEP: getKeywordType("and"), DEF: () => checks.push(this.SUBRULE(this.check)) });
    return checks;
  });

  check: Rule<Check> = this.declareRule("check", () =>
    this.parseOneOf<Check>([{ ALT: () => this.SUBRULE(this.absence) }, { ALT: () => this.SUBRULE(this.testedTerm) }]),
  );

  absence: Rule<Check> = this.declareRule("absence", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("not"));
    const inner = this.start();
    this.CONSUME(getKeywordType("has"));
    this.CONSUME(OpenParen);
    const argument = this.SUBRULE(this.reference);
    this.CONSUME(CloseParen);
    const term = { functions: [], argument, span: this.closeSpan(inner) };
    return { term, test: { kind: "has", isWanted: false }, isMetIfAbsent: false, span: this.closeSpan(start) };
  });

  testedTerm: Rule<Check> = this.declareRule("testedTerm", () => {
    const start = this.start();
    const term = this.SUBRULE(this.term);
    const isAlone = this.ACTION(() => isPresence(term));
    const tested = this.parseOneOf<Pick<Check, "test" | "isMetIfAbsent"> | undefined>([
      { ALT: () => this.SUBRULE(this.test) },
      { GATE: () => isAlone, ALT: EMPTY_ALT(undefined) },
    ]);
    return this.ACTION((): Check => {
      const span = this.closeSpan(start);
      if (tested !== undefined) return { term, ...tested, span };
      return { term: { ...term, functions: [] }, test: { kind: "has", isWanted: true }, isMetIfAbsent: false, span };
    });
  });

  test: Rule<Pick<Check, "test" | "isMetIfAbsent">> = this.declareRule("test", () => {
    const test = this.parseOneOf<Test>([
      {
        ALT: () => {
          const operator = this.SUBRULE(this.comparison);
          return { kind: "compare", operator, literal: this.SUBRULE(this.operand) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("in"));
          return { kind: "in", literals: this.SUBRULE(this.operands) };
        },
      },
      {
        ALT: () => {
          this.CONSUME1(getKeywordType("in"));
          return { kind: "in-set", set: this.SUBRULE(this.name) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("under"));
          return this.createTextTest("under", this.SUBRULE(this.textOperand));
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("from"));
          return { kind: "from", sources: this.SUBRULE(this.sources) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("startsWith"));
          return this.createTextTest("startsWith", this.SUBRULE1(this.textOperand));
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("endsWith"));
          return this.createTextTest("endsWith", this.SUBRULE2(this.textOperand));
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("matches"));
          return { kind: "matches", text: this.SUBRULE(this.words) };
        },
      },
    ]);
    const absent = this.OPTION(() => {
      this.CONSUME(getKeywordType("or"));
      return this.CONSUME(getKeywordType("absent"));
    });
    return { test, isMetIfAbsent: absent !== undefined };
  });

  private createTextTest(operator: ParameterTest, operand: Words | ParameterNode): Test {
    return this.ACTION((): Test => {
      if ("kind" in operand) return { kind: "by-parameter", operator, parameter: operand };
      return operator === "under" ? { kind: operator, root: operand } : { kind: operator, text: operand };
    });
  }

  textOperand: Rule<Words | ParameterNode> = this.declareRule("textOperand", () =>
    this.parseOneOf<Words | ParameterNode>([
      { ALT: () => this.SUBRULE(this.words) },
      { ALT: () => this.SUBRULE(this.parameter) },
    ]),
  );

  operands: Rule<Operand[]> = this.declareRule("operands", () => {
    const operands: Operand[] = [];
    this.CONSUME(OpenBracket);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => operands.push(this.SUBRULE(this.operand)) });
    this.CONSUME(CloseBracket);
    return operands;
  });

  operand: Rule<Operand> = this.declareRule("operand", () =>
    this.parseOneOf<Operand>([{ ALT: () => this.SUBRULE(this.literal) }, { ALT: () => this.SUBRULE(this.parameter) }]),
  );

  parameter: Rule<ParameterNode> = this.declareRule("parameter", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("task"));
    this.CONSUME(Dot);
    const name = this.SUBRULE(this.name);
    return { kind: "parameter", name, span: this.closeSpan(start) };
  });

  sources: Rule<SourceNode[]> = this.declareRule("sources", () => {
    const sources: SourceNode[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => sources.push(this.SUBRULE(this.origin)) });
    return sources;
  });

  origin: Rule<SourceNode> = this.declareRule("origin", () => {
    const start = this.start();
    const parts = [this.SUBRULE(this.name)];
    this.MANY(() => {
      this.CONSUME(Dot);
      parts.push(this.SUBRULE(this.member));
    });
    const call = this.OPTION(() => {
      this.CONSUME(OpenParen);
      const related = this.SUBRULE(this.related);
      this.CONSUME(CloseParen);
      this.MANY1(() => {
        this.CONSUME1(Dot);
        parts.push(this.SUBRULE1(this.member));
      });
      return related;
    });
    const record = this.OPTION1(() => {
      this.CONSUME(OpenBracket);
      const related = this.SUBRULE1(this.related);
      this.CONSUME(CloseBracket);
      return related;
    });
    return this.ACTION(() => ({
      name: this.joinParts(parts),
      call: call ?? [],
      record: record ?? [],
      span: this.closeSpan(start),
    }));
  });

  related: Rule<RelatedNode[]> = this.declareRule("related", () => {
    const related: RelatedNode[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: getKeywordType("and"), DEF: () => related.push(this.SUBRULE(this.relation)) });
    return related;
  });

  relation: Rule<RelatedNode> = this.declareRule("relation", () => {
    const start = this.start();
    const field = this.SUBRULE(this.reference);
    const test = this.parseOneOf<RelatedNode["test"]>([
      {
        ALT: () => {
          this.CONSUME(Equal);
          return { kind: "is", text: this.SUBRULE(this.words) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(getKeywordType("from"));
          return { kind: "from", sources: this.SUBRULE(this.references) };
        },
      },
    ]);
    return { field, test, span: this.closeSpan(start) };
  });

  references: Rule<Reference[]> = this.declareRule("references", () => {
    const references: Reference[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => references.push(this.SUBRULE(this.reference)) });
    return references;
  });

  term: Rule<Term> = this.declareRule("term", () => {
    const start = this.start();
    const first = this.SUBRULE(this.member);
    const fields: Name[] = [];
    const applied = this.OPTION(() =>
      this.parseOneOf<Term | undefined>([
        {
          ALT: () => {
            this.CONSUME(OpenParen);
            const inner = this.SUBRULE(this.term);
            this.CONSUME(CloseParen);
            return inner;
          },
        },
        {
          ALT: () => {
            this.AT_LEAST_ONE(() => {
              this.CONSUME(Dot);
              fields.push(this.SUBRULE1(this.member));
            });
            return undefined;
          },
        },
      ]),
    );
    return this.ACTION(() => ({
      functions: applied === undefined ? [] : [first, ...applied.functions],
      argument: applied?.argument ?? this.joinParts([first, ...fields]),
      span: this.closeSpan(start),
    }));
  });

  comparison: Rule<Comparison> = this.declareRule("comparison", () => {
    const token = this.parseOneOf([
      { ALT: () => this.CONSUME(Equal) },
      { ALT: () => this.CONSUME(NotEqual) },
      { ALT: () => this.CONSUME(LessOrEqual) },
      { ALT: () => this.CONSUME(GreaterOrEqual) },
      { ALT: () => this.CONSUME(Less) },
      { ALT: () => this.CONSUME(Greater) },
    ]);
    return COMPARISONS.find((comparison) => comparison === token.image) ?? "==";
  });

  literals: Rule<Literal[]> = this.declareRule("literals", () => {
    const literals: Literal[] = [];
    this.CONSUME(OpenBracket);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => literals.push(this.SUBRULE(this.literal)) });
    this.CONSUME(CloseBracket);
    return literals;
  });

  /**
   * Returns whether the word after a number is not a unit, such as `EUR` in `5 EUR`. It is not a unit if it begins `or
   * absent`, or if a mode follows. In the second case it begins a line of a `when` block, perhaps as a misspelt
   * `atLeast`.
   */
  private isBehindNumber(): boolean {
    const [first, second] = [this.LA(1).tokenType, this.LA(2).tokenType];
    return (first === OR && second === ABSENT) || MODE_TYPES.has(second);
  }

  literal: Rule<Literal> = this.declareRule("literal", () => {
    const start = this.start();
    return this.parseOneOf<Literal>([
      { ALT: () => ({ kind: "text", value: this.SUBRULE(this.words).value, span: this.closeSpan(start) }) },
      { ALT: () => ({ kind: "boolean", value: this.SUBRULE(this.truth), span: this.closeSpan(start) }) },
      {
        ALT: () => {
          const amount = this.SUBRULE(this.numeral);
          const unit = this.OPTION({
            GATE: () => !this.isBehindNumber(),
            DEF: () => this.SUBRULE(this.name),
          });
          return { kind: "number", amount, unit, span: this.closeSpan(start) };
        },
      },
    ]);
  });
}

const OR = getKeywordType("or");
const ABSENT = getKeywordType("absent");
const MODE_TYPES: ReadonlySet<TokenType> = new Set(MODES.map(getKeywordType));

const COMPARISONS: readonly Comparison[] = ["==", "!=", "<", "<=", ">", ">="];
