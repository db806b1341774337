// Collects the findings about the settings of one file.

import { type Diagnostic, sortDiagnostics } from "../../../lang/diagnostics/index.ts";
import type { FindingText } from "./finding-text.ts";
import { settingsDenyPassable } from "./rules/settings-deny-passable/codes.ts";
import { settingsOpen } from "./rules/settings-open/codes.ts";
import { settingsRuleDangerous } from "./rules/settings-rule-dangerous/codes.ts";
import { settingsRuleInert } from "./rules/settings-rule-inert/codes.ts";
import { settingsRuleOtherwise } from "./rules/settings-rule-otherwise/codes.ts";
import { settingsUnread } from "./rules/settings-unread/codes.ts";
import { settingsUnsayable } from "./rules/settings-unsayable/codes.ts";
import { getAt, type Path, type PlaceOf } from "./value.ts";

const KINDS = {
  dangerous: settingsRuleDangerous,
  inert: settingsRuleInert,
  open: settingsOpen,
  otherwise: settingsRuleOtherwise,
  passable: settingsDenyPassable,
  unread: settingsUnread,
  unsayable: settingsUnsayable,
} as const;

/** Maximum number of findings; nobody reads more. */
const MOST_FINDINGS = 5000;

export class FindingList {
  readonly #settings: unknown;
  readonly #placeOf: PlaceOf;
  readonly #found = new Map<string, Diagnostic>();

  constructor(settings: unknown, placeOf: PlaceOf) {
    this.#settings = settings;
    this.#placeOf = placeOf;
  }

  /** Adds a finding about the setting at `path`; a setting has at most one finding of each kind. */
  add(kind: keyof typeof KINDS, path: Path, why: string, instead = ""): void {
    const key = JSON.stringify([kind, path]);
    if (this.#found.has(key) || this.#found.size >= MOST_FINDINGS) return;
    const said: FindingText = { why, instead };
    this.#found.set(key, KINDS[kind].at(this.#placeOf(path), { rule: this.#nameOf(path), ...said }));
  }

  /** Returns the findings in the order of the file. */
  list(): readonly Diagnostic[] {
    return sortDiagnostics([...this.#found.values()]);
  }

  /** Returns the name of a setting: its path, and for an item of a list also its text. */
  #nameOf(path: Path): string {
    const names = path.filter((step) => typeof step === "string").join(".");
    const value = getAt(this.#settings, path);
    return typeof path.at(-1) === "number" && typeof value === "string" ? `${names} ${JSON.stringify(value)}` : names;
  }
}
