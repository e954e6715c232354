import "./ui/theme.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { applyLanguage } from "./i18n/language.ts";
import { queryClient } from "./query-client.ts";
import { preloadFirstScreen, Routes } from "./routes.tsx";
import { SessionProvider } from "./session.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { OfflineBanner } from "./shell/offline-banner.tsx";
import { watchTheme } from "./theme.ts";

// No screen starts with a toast, so its code does not delay the first paint.
const Toaster = lazy(() => import("./ui/toaster.tsx").then((module) => ({ default: module.Toaster })));

preloadFirstScreen();
applyLanguage();
watchTheme();

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <OfflineBanner />
          <Routes />
          <Suspense>
            <Toaster />
          </Suspense>
        </SessionProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  </StrictMode>,
);
