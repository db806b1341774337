/**
 * A program for Node.js that behaves like a machine on a console, from its first prompt to its clean end. The program
 * repeats the first line, and powers off at the second. A carriage return ends a line, as on a terminal, and typed text
 * is echoed.
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
