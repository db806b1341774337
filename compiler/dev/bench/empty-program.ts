// The floor that a booted image is measured against: a process that says that it is there, and does nothing else.

process.send?.({ capos: "ready" });
// Messages of others are read, so that no sender waits for an acknowledgement. The process answers pings until it is told to stop.
process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("capos" in message)) return;
  if (message.capos === "ping") process.send?.({ capos: "pong" });
  if (message.capos === "stop") process.exit(0);
});
