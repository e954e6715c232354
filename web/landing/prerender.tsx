// Built for Node and run once by scripts/prerender-landing.mjs; the browser never loads it.
import { Suspense } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { paths } from "#web/paths.ts";
import { SignedOutSession } from "#web/session/session.tsx";
import { OfflineBanner } from "#web/shell/offline-banner.tsx";
import LandingPage from "./landing-page.tsx";

export { landingHead, ORIGIN_PLACEHOLDER } from "./landing-head.ts";

/** What `main.tsx` draws for a visitor on the landing page: its elements must be the same, since React takes them over. */
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
    // However large it is, all of it stands in its place: what came later would need an inline script.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}
