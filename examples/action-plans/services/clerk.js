let count = 0;

/** A plan of one turn: all of it runs, or nothing behind the action that failed. */
async function submit(held, actions) {
  count += 1;
  const plan = { request_id: `clerk-${count}`, version: "0.1", mode: "execute", actions };
  return held.plans.submit({ plan: JSON.stringify(plan) });
}

export default {
  file: ({ name, text }, { held }) => {
    const path = `inbox/${name}`;
    return submit(held, [
      { type: "write_file", path, content: text, mode: "0600", reason: "a text came in" },
      { type: "read_file", path, max_bytes: 1024, reason: "what was filed is read back" },
    ]);
  },
  ask: ({ plan }, { held }) => held.plans.submit({ plan }),
};
