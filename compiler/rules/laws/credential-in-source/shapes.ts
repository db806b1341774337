/** Form of one kind of credential. */
interface Shape {
  readonly what: string;
  /**
   * Each credential of this kind contains one of these texts. Most pages contain none of them, and are not searched
   * with the pattern.
   */
  readonly marks: readonly string[];
  /**
   * Pattern with the global flag. The pattern has no nested repetition, because it may search a mebibyte of untrusted
   * text.
   */
  readonly pattern: RegExp;
}

// The forms follow the documentation of the issuers of the credentials. A prefix alone never suffices: each form
// requires the length of a real credential, so that a text about such tokens does not match.
export const SHAPES: readonly Shape[] = [
  { what: "a private key", marks: ["PRIVATE KEY"], pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g },
  { what: "an access key of AWS", marks: ["AKIA", "ASIA"], pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    what: "a token of GitHub",
    marks: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})/g,
  },
  { what: "a token of GitLab", marks: ["glpat-"], pattern: /\bglpat-[\w-]{20}/g },
  { what: "a token of Slack", marks: ["xox"], pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20}/g },
  { what: "a key for a model's provider", marks: ["sk-"], pattern: /\bsk-[A-Za-z0-9_-]{20}/g },
  { what: "a key of Google", marks: ["AIza"], pattern: /\bAIza[\w-]{35}/g },
  { what: "a key of Stripe", marks: ["_live_", "_test_"], pattern: /\b[rs]k_(?:live|test)_[0-9A-Za-z]{16}/g },
  { what: "a token of npm", marks: ["npm_"], pattern: /\bnpm_[A-Za-z0-9]{36}/g },
  { what: "a token of Hugging Face", marks: ["hf_"], pattern: /\bhf_[A-Za-z0-9]{30}/g },
  { what: "a signed web token", marks: ["eyJ"], pattern: /\beyJ[\w-]{10,2000}\.eyJ[\w-]{5,2000}\.[\w-]{10}/g },
  { what: "a bearer token", marks: ["Bearer "], pattern: /\bBearer [\w.~+/=-]{20}/g },
  { what: "an address with a password in it", marks: ["://"], pattern: /:\/\/[^\s/:@"]{1,64}:[^\s/:@"]{1,256}@/g },
];
