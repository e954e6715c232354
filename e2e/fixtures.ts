import { randomBytes } from "node:crypto";
import { test as base, type ConsoleMessage, expect } from "@playwright/test";
import { onOwnServer } from "./demo-data.ts";
import { READY_MS, type Server } from "./server.ts";
import { pooledServer } from "./server-pool.ts";

export { expect };

type TestOptions = {
  /** Console errors that the test expects: `test.use({ allowedConsoleErrors: [/…/] })`. */
  allowedConsoleErrors: RegExp[];
};

type TestFixtures = TestOptions & { cleanConsole: undefined };

type WorkerFixtures = {
  server: Server;
  /** For a server of the file's own, with further environment: `test.use({ serverEnvironment: { … } })` at its top. */
  serverEnvironment: Record<string, string>;
};

/**
 * Playwright's `test` with a server behind `baseURL`, shared by the tests of one worker and the workers that follow it, so
 * each test signs up a user of its own where it changes anything. A test fails when the page throws or writes to
 * console.error.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverEnvironment: [{}, { scope: "worker", option: true }],
  server: [
    async ({ serverEnvironment }, use, { parallelIndex }) => {
      if (Object.keys(serverEnvironment).length === 0) return use(await pooledServer(parallelIndex));
      await onOwnServer(serverEnvironment, use);
    },
    { scope: "worker", timeout: READY_MS + 15_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  extraHTTPHeaders: async ({}, use) => use({ "x-forwarded-for": `10.${randomBytes(3).join(".")}` }),
  allowedConsoleErrors: [[], { option: true }],
  cleanConsole: [
    async ({ context, allowedConsoleErrors }, use) => {
      const errors: string[] = [];
      context.on("weberror", (event) => errors.push(String(event.error().stack ?? event.error())));
      context.on("console", (message) => {
        if (message.type() === "error" && !isExpectedAnswer(message)) errors.push(message.text());
      });
      await use(undefined);
      const unexpected = errors.filter((text) => !allowedConsoleErrors.some((allowed) => allowed.test(text)));
      expect(unexpected, "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

/** Chromium itself reports every 4xx answer. From our API it is an answer that the page shows; a missing file is a fault. */
function isExpectedAnswer(message: ConsoleMessage): boolean {
  const refused = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
  return refused && new URL(message.location().url, "http://localhost").pathname.startsWith("/api/");
}
