/** A value, or one sentence that says why there is none. */
export type Result<T> = { readonly ok: true; readonly value: T } | Refusal;

/** A refusal with its reason, in place of a value. */
export interface Refusal {
  readonly ok: false;
  readonly reason: string;
}

/** Returns the result that holds a value. */
export function accept<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Returns the result that holds no value, for this reason. */
export function refuse(reason: string): Refusal {
  return { ok: false, reason };
}
