import "./ui/theme.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { authToken } from "./api/auth-token.ts";
import { queryClient } from "./api/query-client.ts";
import { applyLanguage } from "./i18n/language.ts";
import { paths } from "./paths.ts";
import { Routes } from "./routes.tsx";
import { landing, preloadBehindLinks, preloadSignedIn } from "./screens.ts";
import { preloadBy } from "./session/preload.ts";
import { SessionProvider } from "./session/session.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { OfflineBanner } from "./shell/offline-banner.tsx";
import { watchStaleChunks } from "./stale-chunk.ts";
import { watchTheme } from "./theme.ts";
import { LateToaster } from "./ui/toasts/late-toaster.tsx";
import { showSavedToast } from "./ui/toasts/saved-toast.ts";

watchStaleChunks();
preloadBy(preloadSignedIn);
if (authToken()) preloadSignedIn(location.pathname);
preloadBehindLinks();
applyLanguage();
watchTheme();
showSavedToast();

const root = document.getElementById("root") as HTMLElement;

const application = (
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <OfflineBanner />
          <Routes />
          <LateToaster />
        </SessionProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>
);

/** Renders the application from scratch instead of hydrating a page that was prerendered for visitors. */
function mount() {
  root.replaceChildren();
  delete root.dataset.landing;
  createRoot(root).render(application);
}

/**
 * Whether the address is that of the landing page. At «/» the server cannot always know whether the visitor is signed in, and before this
 * code ran, or until the screen's code is loaded, the visitor may have gone to another screen.
 */
function isLanding(): boolean {
  const { pathname } = location;
  return pathname === paths.landing || (pathname === paths.home && authToken() === null);
}

if (root.dataset.landing !== undefined && isLanding()) {
  // With the screen's code loaded, React hydrates the page in one pass.
  landing.load().then(() => (isLanding() ? hydrateRoot(root, application) : mount()), mount);
} else mount();
