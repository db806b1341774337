/**
 * A program for Node that behaves as a machine on a console does, from its first prompt to its clean end: it says the first
 * line back, and goes off at the second. It takes a carriage return for the end of a line, as a terminal does, and echoes
 * what is typed.
 */
export const POLITE = `
let said = 0;
process.stdout.write("ready\\r\\nyou> ");
process.stdin.on("data", (bytes) => {
  const line = bytes.toString().replace("\\r", "");
  process.stdout.write(line + "\\r\\n");
  if (said++ === 0) process.stdout.write("agent> you said " + line + "\\r\\nyou> ");
  else process.stdout.write("capos: powered off cleanly\\r\\n", () => process.exit(0));
});`;
