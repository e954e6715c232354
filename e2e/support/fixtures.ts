import { randomBytes } from "node:crypto";
import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type WebError,
} from "@playwright/test";
import { onOwnServer } from "../servers/demo-data.ts";
import { READY_MS, type Server } from "../servers/server.ts";
import { pooledServer } from "../servers/server-pool.ts";

export { expect };

type TestOptions = {
  /** Console errors that the test expects: `test.use({ allowedConsoleErrors: [/…/] })`. */
  allowedConsoleErrors: RegExp[];
  /** For a test that leaves in its context what cannot be taken back, as a clock, or must find no file in its cache. */
  ownContext: boolean;
};

type TestFixtures = TestOptions & { cleanConsole: undefined };

type WorkerFixtures = {
  server: Server;
  /** For a server of the file's own, with further environment: `test.use({ serverEnvironment: { … } })` at its top. */
  serverEnvironment: Record<string, string>;
  /** The worker's contexts, by the options that its tests have given them. */
  contexts: Map<string, BrowserContext>;
};

let current: Server | undefined;
/** The server of this worker's tests, for those who are given a page alone. */
export function currentServer(): Server {
  if (current === undefined) throw new Error("No test of this worker has a server yet");
  return current;
}

/**
 * Playwright's `test` with a server behind `baseURL`, shared by the tests of one worker and the workers that follow it, so
 * each test signs up a user of its own where it changes anything. The browser's context is shared too: of the test before,
 * nothing is left in it but the cache. A test fails when the page throws or writes to console.error.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverEnvironment: [{}, { scope: "worker", option: true }],
  server: [
    async ({ serverEnvironment }, use, { parallelIndex }) => {
      const given = (server: Server) => {
        current = server;
        return use(server);
      };
      if (Object.keys(serverEnvironment).length === 0) return given(await pooledServer(parallelIndex));
      await onOwnServer(serverEnvironment, given);
    },
    { scope: "worker", timeout: READY_MS + 15_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  extraHTTPHeaders: async ({}, use) => use({ "x-forwarded-for": `10.${randomBytes(3).join(".")}` }),
  ownContext: [false, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  contexts: [async ({}, use) => use(new Map()), { scope: "worker" }],
  // A context whose cache holds the interface opens it at three quarters of the cost of a new one.
  context: async (
    { browser, contexts, ownContext, baseURL, extraHTTPHeaders, locale, javaScriptEnabled, hasTouch },
    use,
  ) => {
    const key = ownContext ? undefined : [baseURL, locale, javaScriptEnabled, hasTouch].join();
    const kept = key && contexts.get(key);
    const context = kept || (await browser.newContext());
    if (kept) await forgetLastTest(kept, baseURL, extraHTTPHeaders);
    if (key) contexts.set(key, context);
    await use(context);
    if (key === undefined) return context.close();
    await expectNoClock(context);
    await Promise.all(context.pages().map((page) => page.close()));
  },
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
  allowedConsoleErrors: [[], { option: true }],
  cleanConsole: [
    async ({ context, allowedConsoleErrors }, use) => {
      const errors: string[] = [];
      const noteThrown = (event: WebError) => errors.push(String(event.error().stack ?? event.error()));
      const noteError = (message: ConsoleMessage) => {
        if (message.type() === "error" && !isExpectedAnswer(message)) errors.push(message.text());
      };
      context.on("weberror", noteThrown).on("console", noteError);
      await use(undefined);
      context.off("weberror", noteThrown).off("console", noteError);
      const unexpected = errors.filter((text) => !allowedConsoleErrors.some((allowed) => allowed.test(text)));
      expect(unexpected, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

/** Leaves nothing of what a test can put into a context but the browser's cache, and one page that has opened nothing. */
async function forgetLastTest(context: BrowserContext, origin = "", extraHTTPHeaders: Record<string, string> = {}) {
  await context.setExtraHTTPHeaders(extraHTTPHeaders);
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  const devtools = await context.newCDPSession(await context.newPage());
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await devtools.detach();
}

/** Playwright cannot take back a clock, so in a shared context it would run ahead for all the tests that follow. */
async function expectNoClock(context: BrowserContext) {
  // A page that is on its way to another at the end of its test cannot be asked.
  const hasClock = (page: Page) => page.evaluate(() => "__pwClock" in globalThis).catch(() => false);
  const clocks = context.pages().map(hasClock);
  expect(
    await Promise.all(clocks),
    "a test that installs a clock needs `test.use({ ownContext: true })`",
  ).not.toContain(true);
}

/** Chromium itself reports every 4xx answer. From our API it is an answer that the page shows; a missing file is a fault. */
function isExpectedAnswer(message: ConsoleMessage): boolean {
  const refused = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
  return refused && new URL(message.location().url, "http://localhost").pathname.startsWith("/api/");
}
