import "./ui/theme.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { authToken } from "./auth-token.ts";
import { applyLanguage } from "./i18n/language.ts";
import { queryClient } from "./query-client.ts";
import { Routes } from "./routes.tsx";
import { preloadBehindLinks, preloadSignedIn } from "./screens.ts";
import { SessionProvider } from "./session.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { OfflineBanner } from "./shell/offline-banner.tsx";
import { watchTheme } from "./theme.ts";
import { LateToaster } from "./ui/late-toaster.tsx";

if (authToken()) preloadSignedIn(location.pathname);
preloadBehindLinks();
applyLanguage();
watchTheme();

createRoot(document.getElementById("root") as HTMLElement).render(
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
  </StrictMode>,
);
