/** Returns a text as one word for a POSIX shell, quoted if the shell would otherwise change or split it. */
export function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
