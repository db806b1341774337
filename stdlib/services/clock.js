// What answers for Clock where a page names no program of its own: the time of the machine's own clock, and that nobody
// vouches for it. The image asks no other machine what time it is, so whoever sets the machine's clock sets this one.

const SOURCE = "the machine's own clock";

export default {
  now(_, { now }) {
    const utc = new Date(now()).toISOString();
    return { utc, source: SOURCE, trusted: false, said: `${utc}, by ${SOURCE}, which nobody vouches for` };
  },
};
