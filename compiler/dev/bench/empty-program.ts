// A process that only reports its start. An image of such processes gives a lower bound for the cost of booting.

process.send?.({ capos: "ready" });
// The process reads messages of other processes, so that no sender waits for an acknowledgement. It answers pings until it is told
// to stop.
process.on("message", (message) => {
  if (typeof message !== "object" || message === null || !("capos" in message)) return;
  if (message.capos === "ping") process.send?.({ capos: "pong" });
  if (message.capos === "stop") process.exit(0);
});
