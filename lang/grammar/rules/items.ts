import { EOF, type IParserConfig } from "chevrotain";
import type { Item, SystemNode, UseNode } from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { SettingsGrammar } from "./settings.ts";
import { Dot, getKeywordType } from "./token-types.ts";

/** The top of the grammar: a file is a list of items, and a system is an item that contains items. */
export class FileGrammar extends SettingsGrammar {
  /** Items parsed so far, which remain if parsing ends early. */
  protected items: Item[] = [];

  item: Rule<Item> = this.declareRule("item", () =>
    this.parseOneOf<Item>([
      { ALT: () => this.SUBRULE(this.system) },
      { ALT: () => this.SUBRULE(this.use) },
      { ALT: () => this.SUBRULE(this.levels) },
      { ALT: () => this.SUBRULE(this.compartments) },
      { ALT: () => this.SUBRULE(this.category) },
      { ALT: () => this.SUBRULE(this.interface) },
      { ALT: () => this.SUBRULE(this.principal) },
      { ALT: () => this.SUBRULE(this.model) },
      { ALT: () => this.SUBRULE(this.backend) },
      { ALT: () => this.SUBRULE(this.service) },
      { ALT: () => this.SUBRULE(this.session) },
      { ALT: () => this.SUBRULE(this.task) },
      { ALT: () => this.SUBRULE(this.worker) },
      { ALT: () => this.SUBRULE(this.ingress) },
      { ALT: () => this.SUBRULE(this.redaction) },
      { ALT: () => this.SUBRULE(this.release) },
      { ALT: () => this.SUBRULE(this.waive) },
      { ALT: () => this.SUBRULE(this.assertion) },
      { ALT: () => this.SUBRULE(this.rehearsal) },
      { ALT: () => this.SUBRULE(this.settings) },
      { ALT: () => this.SUBRULE(this.audit) },
      { ALT: () => this.SUBRULE(this.namedSet) },
    ]),
  );

  /** Parses a whole page. This rule is the outermost rule, so that recovery from an error in an item happens here and not in Chevrotain. */
  file: Rule<void> = this.declareRule("file", () => {
    if (this.RECORDING_PHASE) this.MANY(() => this.SUBRULE(this.item));
    else while (this.LA(1).tokenType !== EOF) this.parseTopLevel();
  });

  private parseTopLevel(): void {
    const before = this.LA(1);
    const place = { element: this.item, level: "declaration" } as const;
    this.runWithRecovery(() => this.items.push(this.SUBRULE1(this.item)), { place });
    // Recovery does not skip an extra closing brace, so the brace is skipped here.
    if (this.LA(1) === before) this.SKIP_TOKEN();
  }

  system: Rule<SystemNode> = this.declareRule("system", () => {
    const start = this.start();
    const doc = this.takeDocAt(start);
    this.CONSUME(getKeywordType("system"));
    const name = this.SUBRULE(this.name);
    const version = this.OPTION(() => {
      this.CONSUME(getKeywordType("version"));
      return this.SUBRULE(this.words);
    });
    const { elements: items, damaged } = this.block(this.item, "declaration");
    return { kind: "system", name, doc, version, items, damaged, span: this.closeSpan(start) };
  });

  use: Rule<UseNode> = this.declareRule("use", () => {
    const start = this.start();
    this.takeDocAt(start);
    this.CONSUME(getKeywordType("use"));
    return this.parseOneOf<UseNode>([
      { ALT: () => ({ kind: "use", what: "file", path: this.SUBRULE(this.words), span: this.closeSpan(start) }) },
      { ALT: () => this.SUBRULE(this.useSchema) },
      {
        ALT: () => {
          const root = this.SUBRULE(this.name);
          this.CONSUME(Dot);
          const module = this.SUBRULE1(this.name);
          return { kind: "use", what: "module", root, module, span: this.closeSpan(start) };
        },
      },
    ]);
  });

  useSchema: Rule<UseNode> = this.declareRule("useSchema", () => {
    const what = this.parseOneOf<"capnp" | "mcp">([
      { ALT: () => this.takeKeyword("capnp") },
      { ALT: () => this.takeKeyword("mcp") },
    ]);
    const path = this.SUBRULE(this.words);
    this.CONSUME(getKeywordType("as"));
    const alias = this.SUBRULE(this.name);
    return { kind: "use", what, path, alias, span: path.span };
  });

  constructor(config: IParserConfig) {
    super(config);
    this.performSelfAnalysis();
  }
}
