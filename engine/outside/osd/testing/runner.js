// On a host `llm-osd` runs programs itself; in an image nobody asks this.
const elsewhere = () => {
  throw new Error("no program is run here");
};

export default { list: elsewhere, start: elsewhere, stop: elsewhere };
