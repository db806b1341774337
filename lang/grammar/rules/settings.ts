import type { Setting, SettingsNode, SettingValue } from "../../tree/index.ts";
import type { Rule } from "./reading.ts";
import { RehearsalGrammar } from "./rehearsals.ts";
import { Comma } from "./token-types.ts";

/** `storage`, `network` and `image`. */
export class SettingsGrammar extends RehearsalGrammar {
  settings: Rule<SettingsNode> = this.rule("settings", () => {
    const start = this.start();
    this.docAt(start);
    const kind = this.oneOf<SettingsNode["kind"]>([
      { ALT: () => this.says("storage") },
      { ALT: () => this.says("network") },
      { ALT: () => this.says("image") },
    ]);
    const { elements: settings, damaged } = this.block(this.setting);
    return { kind, settings, damaged, span: this.since(start) };
  });

  setting: Rule<Setting> = this.rule("setting", () => {
    const start = this.start();
    const values: SettingValue[] = [];
    const name = this.SUBRULE(this.name);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => values.push(this.SUBRULE(this.settingValue)) });
    return { name, values, span: this.since(start) };
  });

  settingValue: Rule<SettingValue> = this.rule("settingValue", () => {
    const start = this.start();
    return this.oneOf<SettingValue>([
      { ALT: () => ({ kind: "name", value: this.SUBRULE(this.name), span: this.since(start) }) },
      { ALT: () => ({ kind: "text", value: this.SUBRULE(this.words), span: this.since(start) }) },
      { ALT: () => ({ kind: "quantity", value: this.SUBRULE(this.quantity), span: this.since(start) }) },
    ]);
  });
}
