export default {
  count: ({ text }) => ({ words: text.split(/\s+/).filter((word) => word !== "").length }),
};
