import type {
  AuditLine,
  AuditNode,
  DigestsLine,
  KeepLine,
  Setting,
  SettingsNode,
  SettingValue,
} from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { RehearsalGrammar } from "./rehearsals.ts";
import { Comma, getKeywordType } from "./token-types.ts";

/** Parses the blocks `storage`, `network`, `image` and `audit`. */
export class SettingsGrammar extends RehearsalGrammar {
  settings: Rule<SettingsNode> = this.declareRule("settings", () => {
    const start = this.start();
    this.takeDocAt(start);
    const kind = this.parseOneOf<SettingsNode["kind"]>([
      { ALT: () => this.takeKeyword("storage") },
      { ALT: () => this.takeKeyword("network") },
      { ALT: () => this.takeKeyword("image") },
    ]);
    const { elements: settings, damaged } = this.block(this.setting);
    return { kind, settings, damaged, span: this.closeSpan(start) };
  });

  setting: Rule<Setting> = this.declareRule("setting", () => {
    const start = this.start();
    const values: SettingValue[] = [];
    const name = this.SUBRULE(this.name);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => values.push(this.SUBRULE(this.settingValue)) });
    return { name, values, span: this.closeSpan(start) };
  });

  settingValue: Rule<SettingValue> = this.declareRule("settingValue", () => {
    const start = this.start();
    return this.parseOneOf<SettingValue>([
      { ALT: () => ({ kind: "name", value: this.SUBRULE(this.name), span: this.closeSpan(start) }) },
      { ALT: () => ({ kind: "text", value: this.SUBRULE(this.words), span: this.closeSpan(start) }) },
      { ALT: () => ({ kind: "quantity", value: this.SUBRULE(this.quantity), span: this.closeSpan(start) }) },
    ]);
  });

  audit: Rule<AuditNode> = this.declareRule("audit", () => {
    const start = this.start();
    this.takeDocAt(start);
    this.CONSUME(getKeywordType("audit"));
    const { elements: lines, damaged } = this.block(this.auditLine);
    return { kind: "audit", lines, damaged, span: this.closeSpan(start) };
  });

  auditLine: Rule<AuditLine> = this.declareRule("auditLine", () =>
    this.parseOneOf<AuditLine>([
      { ALT: () => this.SUBRULE(this.digestsLine) },
      { ALT: () => this.SUBRULE(this.keepLine) },
    ]),
  );

  digestsLine: Rule<DigestsLine> = this.declareRule("digestsLine", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("digests"));
    this.CONSUME(getKeywordType("above"));
    const above = this.SUBRULE(this.label);
    return { kind: "digests", above, span: this.closeSpan(start) };
  });

  keepLine: Rule<KeepLine> = this.declareRule("keepLine", () => {
    const start = this.start();
    this.CONSUME(getKeywordType("keep"));
    this.CONSUME(getKeywordType("until"));
    const until = this.parseOneOf<KeepLine["until"]>([
      { ALT: () => this.takeKeyword("exported") },
      { ALT: () => this.takeKeyword("shipped") },
    ]);
    return { kind: "keep", until, span: this.closeSpan(start) };
  });
}
