/** What credentials of one kind look like. */
export interface Shape {
  readonly what: string;
  /** Global and without nested repetition: it is run over a mebibyte that a stranger wrote. */
  readonly pattern: RegExp;
}

// From what the issuers document. A prefix alone is never enough: each asks for the length of a real one, so that a
// text that only speaks of such tokens is none.
export const SHAPES: readonly Shape[] = [
  { what: "a private key", pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g },
  { what: "an access key of AWS", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { what: "a token of GitHub", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})/g },
  { what: "a token of GitLab", pattern: /\bglpat-[\w-]{20}/g },
  { what: "a token of Slack", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20}/g },
  { what: "a key for a model's provider", pattern: /\bsk-[A-Za-z0-9_-]{20}/g },
  { what: "a key of Google", pattern: /\bAIza[\w-]{35}/g },
  { what: "a key of Stripe", pattern: /\b[rs]k_(?:live|test)_[0-9A-Za-z]{16}/g },
  { what: "a token of npm", pattern: /\bnpm_[A-Za-z0-9]{36}/g },
  { what: "a token of Hugging Face", pattern: /\bhf_[A-Za-z0-9]{30}/g },
  { what: "a signed web token", pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{5,2000}\.[\w-]{10}/g },
  { what: "a bearer token", pattern: /\bBearer [\w.~+/=-]{20}/g },
  { what: "an address with a password in it", pattern: /:\/\/[^\s/:@"]{1,64}:[^\s/:@"]{1,256}@/g },
];
