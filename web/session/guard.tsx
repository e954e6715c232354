import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { loginWithReturn, paths } from "#web/paths.ts";
import { BrandMark } from "#web/ui/brand-mark.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useSession } from "./session.tsx";

/** Renders its children for signed-in users; others are redirected to the login, which leads back here. */
export function Guard({ children }: { children: ReactNode }) {
  const { state } = useSession();
  if (state.status === "loading") return <CheckingSession />;
  if (state.status === "unauthenticated") {
    const here = location.pathname + location.search;
    return <Redirect to={state.left ? paths.login : loginWithReturn(here)} replace />;
  }
  return children;
}

/** Covers the whole page while the stored token is being verified. */
export function CheckingSession() {
  return (
    <main lang="ru" className="grid min-h-dvh place-content-center justify-items-center gap-4">
      <h1 className="sr-only">Проверка авторизации</h1>
      <BrandMark className="h-8" />
      <LoadingStatus>Проверка авторизации...</LoadingStatus>
    </main>
  );
}
