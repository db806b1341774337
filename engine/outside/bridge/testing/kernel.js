// The kernel runs these itself, behind its own gate; what the page names here is never asked.
const elsewhere = () => {
  throw new Error("the kernel runs this itself");
};

export default {
  listFiles: elsewhere,
  readFile: elsewhere,
  statFile: elsewhere,
  deleteFile: elsewhere,
  showHistory: elsewhere,
  showVersion: elsewhere,
  showTicks: elsewhere,
  showMemoryMap: elsewhere,
};
