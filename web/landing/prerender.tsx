// Built for Node and run once by scripts/prerender-landing.mjs; the browser never loads it.
import { Suspense } from "react";
import { renderToString } from "react-dom/server";
import { Router } from "wouter";
import { paths } from "#web/paths.ts";
import { NobodySignedIn } from "#web/session/session.tsx";
import { OfflineBanner } from "#web/shell/offline-banner.tsx";
import LandingPage from "./landing-page.tsx";

export { landingHead, ORIGIN_PLACEHOLDER } from "./landing-head.ts";

/** What `main.tsx` draws for a visitor on the landing page: its elements must be the same, since React takes them over. */
export function landingMarkup(): string {
  return renderToString(
    <NobodySignedIn>
      <Router ssrPath={paths.landing}>
        <OfflineBanner />
        <Suspense>
          <LandingPage />
        </Suspense>
      </Router>
    </NobodySignedIn>,
  );
}
