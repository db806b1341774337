/** A value, or one sentence that states why there is no value. */
export type Result<T> = { readonly ok: true; readonly value: T } | Refusal;

/** A refusal with its reason, in place of a value. */
export interface Refusal {
  readonly ok: false;
  readonly reason: string;
}

/** Returns a result with a value. */
export function accept<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Returns a result without a value, with this reason. */
export function refuse(reason: string): Refusal {
  return { ok: false, reason };
}
