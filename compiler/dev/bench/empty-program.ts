// The floor that a booted image is measured against: a process that says that it is there, and does nothing else.

process.send?.({ capos: "ready" });
// Whatever others send is taken, so that nobody waits for an acknowledgement; and it is there as long as it is asked.
process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("capos" in message)) return;
  if (message.capos === "ping") process.send?.({ capos: "pong" });
  if (message.capos === "stop") process.exit(0);
});
