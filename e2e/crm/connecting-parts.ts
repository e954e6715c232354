// What the tests of connecting.spec.ts and connecting.full.spec.ts share.
import type { Page } from "@playwright/test";
import { onOwnServer } from "../servers/demo-data.ts";
import { type Platforms, startPlatforms } from "../servers/platforms.ts";
import { freePort, type StartedServer } from "../servers/server.ts";
import { test as base } from "../support/fixtures.ts";

/** A server of the test's own: the shared ones know no CRM. */
export const test = base.extend<{ platforms: Platforms; own: StartedServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  platforms: async ({}, use) => {
    const platforms = await startPlatforms();
    await use(platforms);
    await platforms.close();
  },
  // The CRM sends the browser back to the address that the server names: the one that the page is at.
  own: async ({ platforms }, use) => {
    const port = await freePort();
    const at = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
    await onOwnServer({ ...platforms.environment, ...at }, use);
  },
});

const inRegion = (page: Page, region: string, name: string) =>
  page
    .getByRole("region", { name: region })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name }) });

export const connected = (page: Page, name: string) => inRegion(page, "Подключенные системы", name);

export const available = (page: Page, name: string) => inRegion(page, "Available Integrations", name);
