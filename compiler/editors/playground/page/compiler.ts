// Runs the compiler in a worker. A draft that was superseded while the compiler was busy is never requested. A compiler
// that does not answer is ended and restarted, so that the playground always stays responsive.

import type { Reply, Request } from "../protocol.ts";

/** Maximum time for a request; a valid page takes far less. */
const MOST_MILLISECONDS = 20_000;

interface Compiler {
  /** Sends a request; if a request of the same kind is still waiting, the new one replaces it. */
  readonly ask: (request: Request) => void;
}

/** Called with the request and its reply, or with `late` if no reply came in time. */
type OnReply = (reply: Reply | { readonly kind: "late" }, request: Request) => void;

export function startCompiler(program: string, onReply: OnReply): Compiler {
  const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  const waiting = new Map<Request["kind"], Request>();
  let worker: Worker | undefined;
  let timer = 0;
  let current: Request | undefined;

  const begin = (): Worker => {
    const begun = new Worker(url);
    begun.onmessage = ({ data }: MessageEvent<Reply>) => settle(data);
    begun.onerror = lose;
    return begun;
  };
  const settle = (reply: Parameters<OnReply>[0]): void => {
    const request = current;
    clearTimeout(timer);
    current = undefined;
    next();
    if (request !== undefined) onReply(reply, request);
  };
  const lose = (): void => {
    worker?.terminate();
    worker = undefined;
    settle({ kind: "late" });
  };
  const next = (): void => {
    const [first] = waiting.values();
    if (current !== undefined || first === undefined) return;
    waiting.delete(first.kind);
    current = first;
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
