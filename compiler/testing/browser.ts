// Chromium, for tests of pages that capc writes. A page is opened and watched: every address that it asks for and every
// complaint is kept, so that a test can claim that there was none.

import { type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Debian's, which set-up asks for. */
const CHROMIUM = "/usr/bin/chromium";

/** Ends what hangs, and judges nothing: of its own accord Playwright waits for half a minute. */
const MOST_MS = 120_000;

export interface Chromium {
  /** Opens `url` in a profile of its own; `options` say which colours, how wide, whether scripts run. */
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Watched>;
  readonly close: () => Promise<void>;
}

/** A page, and what it did so far. */
export interface Watched {
  readonly page: Page;
  /** Addresses that it asked for, without its own and without what stands in it as `data:`. */
  readonly asked: readonly string[];
  /** Errors and warnings of its console, what its content policy refused among them, and what its scripts threw. */
  readonly complaints: readonly string[];
}

/** One start costs a second of the processor: a file of tests starts one, opens what it needs, and closes it. */
export async function startChromium(): Promise<Chromium> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, timeout: MOST_MS });
  return {
    open: async (url, options = {}) => {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(MOST_MS);
      const watched = watch(await context.newPage(), url);
      await watched.page.goto(url);
      return watched;
    },
    close: () => browser.close(),
  };
}

function watch(page: Page, own: string): Watched {
  const asked: string[] = [];
  const complaints: string[] = [];
  const ask = (url: string): void => {
    if (url !== own && !url.startsWith("data:")) asked.push(url);
  };
  page.on("request", (request) => ask(request.url()));
  page.on("websocket", (socket) => ask(socket.url()));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, asked, complaints };
}
