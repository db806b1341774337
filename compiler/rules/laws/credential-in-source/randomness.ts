/**
 * Matches a long run of the characters in which random bytes are encoded. Paths, names and sentences do not contain
 * such runs.
 */
const RUN = /[A-Za-z0-9+=_-]{24,}/g;
const HEXADECIMAL = /^(?:[0-9a-f]{32,}|[0-9A-F]{32,})$/;
/**
 * Lengths of hexadecimal digests that are not reported where `digests` is `allowed`: ids of commits, and SHA-256. They
 * are public, and reasons refer to them.
 */
const DIGEST_LENGTHS = [40, 64];

/**
 * Minimum entropy of a random text, in bits per character. 24 random characters of base64 have at least 4 bits per
 * character; words and names have less.
 */
const RANDOM = 4;
/**
 * Minimum entropy of random hexadecimal digits, in bits per character. The maximum is 4, because there are sixteen
 * digits.
 */
const RANDOM_HEXADECIMAL = 3;

/** Returns the start and the end of each run of a text that looks random. */
export function findRandomRuns(text: string, digests: "allowed" | "refused"): { start: number; end: number }[] {
  return [...text.matchAll(RUN)]
    .filter(([run]) => isRandom(run, digests))
    .map(({ 0: run, index }) => ({ start: index, end: index + run.length }));
}

function isRandom(run: string, digests: "allowed" | "refused"): boolean {
  if (HEXADECIMAL.test(run)) {
    if (digests === "allowed" && DIGEST_LENGTHS.includes(run.length)) return false;
    return computeEntropy(run) >= RANDOM_HEXADECIMAL;
  }
  return /[0-9]/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run) && computeEntropy(run) >= RANDOM;
}

/** Returns Shannon's entropy: the mean information of each character, in bits. */
function computeEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
