/** A value, or the reason in one sentence why there is no value. */
export type Result<T> = { readonly ok: true; readonly value: T } | Refusal;

/** A refusal with its reason, returned instead of a value. */
export interface Refusal {
  readonly ok: false;
  readonly reason: string;
}

/** Returns a successful result with this value. */
export function accept<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Returns a refusal with this reason. */
export function refuse(reason: string): Refusal {
  return { ok: false, reason };
}
