// What answers for Echo where a page names no program of its own: what comes in goes out.

export default {
  echo: ({ text }) => ({ said: text }),
};
