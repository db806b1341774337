// The value of a settings file, with the positions of its parts.

import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import { makeSpan, type SourceText } from "../../../../lang/text/index.ts";
import { notSettings } from "../rules/not-settings/codes.ts";
import { getAt, isTextList, type Path, type PlaceOf } from "../value.ts";

interface SettingsRefused {
  readonly ok: false;
  readonly diagnostics: readonly Diagnostic[];
}

interface SettingsValue {
  readonly ok: true;
  readonly value: unknown;
  readonly placeOf: PlaceOf;
}

export type SettingsRead = SettingsValue | SettingsRefused;

/** Maximum depth of a settings file. */
export const MAX_DEPTH = 64;
/** Maximum number of values. The settings of a person have a few hundred values. */
export const MAX_VALUES = 10_000;

/** Thrown by a reader for a text that it does not accept. */
export class Refusal extends Error {
  readonly at: number;
  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

/** Offsets of the start and the end of each setting in its file, by the path of the setting as JSON. */
export type Places = Map<string, readonly [start: number, end: number]>;

/**
 * Returns a function that finds the position of a setting. If the setting has no position, the function returns the
 * position of the innermost object or list around it that has one.
 */
export function createPlaceOf(source: SourceText, places: Places): PlaceOf {
  return (path) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const place = places.get(JSON.stringify(path.slice(0, length)));
      if (place === undefined) continue;
      const [start, end] = place;
      // The finding underlines only the beginning of a part of several lines, because an underline of the whole part
      // would not show where the fault is.
      return source.text.slice(start, end).includes("\n")
        ? makeSpan(source, start, start + 1)
        : makeSpan(source, start, end);
    }
    return makeSpan(source, 0, 0);
  };
}

export function refuseAt(source: SourceText, at: number, reason: string): SettingsRefused {
  const start = Math.min(at, source.text.length);
  return {
    ok: false,
    diagnostics: [
      notSettings.at(makeSpan(source, start, start), {
        reason,
        instead: "write the file so that the program itself reads it",
      }),
    ],
  };
}

/**
 * Returns a refusal if the value at one of the paths is not a list of texts, and otherwise `undefined`. The author of
 * such a value may have meant to deny something.
 */
export function refuseWrongList(
  source: SourceText,
  { value, placeOf }: SettingsValue,
  lists: readonly Path[],
): SettingsRefused | undefined {
  const wrong = lists.find((path) => {
    const list = getAt(value, path);
    return list !== undefined && !isTextList(list);
  });
  return wrong === undefined ? undefined : refuseAt(source, placeOf(wrong).start, `${wrong.at(-1)} is a list of texts`);
}
