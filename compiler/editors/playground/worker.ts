// Runs the compiler in a worker of the browser: it answers requests one after the other, in order.

import { createAnswerer } from "./answers.ts";
import type { Reply, Request } from "./protocol.ts";
import { findLeftOut } from "./unavailable.ts";

interface Worker {
  onmessage: ((event: { readonly data: Request }) => void) | null;
  readonly postMessage: (reply: Reply) => void;
  readonly reportError: (thrown: unknown) => void;
}

declare const self: Worker;

const answer = createAnswerer();
let last = Promise.resolve();

self.onmessage = ({ data }) => {
  last = last.then(() => settle(data));
};

/**
 * Posts the reply to a request. An exception that does not come from a missing function is a defect of capc: the
 * browser's console shows it, and the playground ends this web worker.
 */
async function settle(request: Request): Promise<void> {
  try {
    self.postMessage(await answer(request));
  } catch (thrown) {
    const what = findLeftOut(thrown);
    if (what === undefined) self.reportError(thrown);
    else self.postMessage({ kind: "leftOut", what });
  }
}
