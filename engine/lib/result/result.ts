/** A value, or one sentence that says why there is none. */
export type Result<T> = { readonly ok: true; readonly value: T } | Refusal;

/** The reason for which there is no value. */
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
