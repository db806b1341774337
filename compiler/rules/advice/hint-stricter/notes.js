export default {
  peek: async () => ({ text: "" }),
  put: async () => ({ text: "" }),
  burn: async () => ({ text: "" }),
};
