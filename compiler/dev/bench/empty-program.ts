// Gives a lower bound for a booted image: a process that only reports its start.

process.send?.({ capos: "ready" });
// The process reads the messages of other processes, so that no sender waits for an acknowledgement. It answers pings
// until it receives the request to stop.
process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("capos" in message)) return;
  if (message.capos === "ping") process.send?.({ capos: "pong" });
  if (message.capos === "stop") process.exit(0);
});
