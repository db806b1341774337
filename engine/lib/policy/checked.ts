/** What a check of outside bytes gives: the checked value, or one sentence that says why not. Never a throw. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

export function accept<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
