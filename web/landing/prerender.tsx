// Built for Node and run once by scripts/prerender-landing.mjs; the browser never loads it.
import { Suspense } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { paths } from "#web/paths.ts";
import { SignedOutSession } from "#web/session/session.tsx";
import { OfflineBanner } from "#web/shell/offline-banner.tsx";
import LandingPage from "./landing-page.tsx";

export { landingHead, ORIGIN_PLACEHOLDER } from "./landing-head.ts";

/** Renders what `main.tsx` renders for a visitor on the landing page. The elements must be identical, because React hydrates them. */
export async function landingMarkup(): Promise<string> {
  const { prelude } = await prerender(
    <SignedOutSession>
      <Router ssrPath={paths.landing}>
        <OfflineBanner />
        <Suspense>
          <LandingPage />
        </Suspense>
      </Router>
    </SignedOutSession>,
    // All content is rendered in place whatever its size, because later chunks would need an inline script.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}
