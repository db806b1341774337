// The floor that a booted image is measured against: a process that says that it is there, and does nothing else.

process.send?.({ capos: "ready" });
// Whatever others send is taken, so that nobody waits for an acknowledgement.
process.on("message", () => {});
