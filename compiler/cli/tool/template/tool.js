// The program of `SERVICE`: a function for each method of its interface. It runs in a jail of its own: no network, no other process
// and no files, except a directory if the page gives it `state`. If a function throws an error, the model sees its message.

export default {
  async ask({ text }) {
    return { answer: `SERVICE got "${text}", ${text.length} characters` };
  },
};
