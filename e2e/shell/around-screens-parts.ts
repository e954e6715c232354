// What around-screens.spec.ts and around-screens.full.spec.ts share.
import type { Page } from "@playwright/test";

export const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });
