// The compiler in a worker. A draft that has been overtaken while the compiler was at work is never asked about, and a compiler
// that does not come back is ended and begun anew: whatever is typed, the page answers to its reader.

import type { Reply, Request } from "../protocol.ts";

/** Far beyond what a lawful page takes. */
const MOST_MILLISECONDS = 20_000;

export interface Compiler {
  /** A request takes the place of one of its kind that waits. */
  readonly ask: (request: Request) => void;
}

/** `late`: nothing came back in time, and whatever waited is forgotten. */
export function startCompiler(program: string, onReply: (reply: Reply | { readonly kind: "late" }) => void): Compiler {
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  const waiting = new Map<Request["kind"], Request>();
  let worker: Worker | undefined;
  let timer = 0;

  const begin = (): Worker => {
    const begun = new Worker(url);
    begun.onmessage = ({ data }: MessageEvent<Reply>) => {
      settle();
      onReply(data);
    };
    begun.onerror = lose;
    return begun;
  };
  const settle = (): void => {
    clearTimeout(timer);
    timer = 0;
    next();
  };
  const lose = (): void => {
    worker?.terminate();
    worker = undefined;
    waiting.clear();
    settle();
    onReply({ kind: "late" });
  };
  const next = (): void => {
    const [first] = waiting.values();
    if (timer !== 0 || first === undefined) return;
    waiting.delete(first.kind);
    timer = setTimeout(lose, MOST_MILLISECONDS);
    worker ??= begin();
    worker.postMessage(first);
  };
  return {
    ask: (request) => {
      waiting.set(request.kind, request);
      next();
    },
  };
}
