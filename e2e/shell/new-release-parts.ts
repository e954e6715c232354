// What new-release.spec.ts and new-release.full.spec.ts share.
import type { Page } from "@playwright/test";

/** How often the page itself was loaded. */
export function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

export const CODE = "**/assets/create-twin-page-*.js";
export const gone = { status: 404, json: { message: "Не найдено", code: "not_found", requestId: "r1" } };
