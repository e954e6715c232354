import { lazy, type ReactNode, Suspense } from "react";
import { Route, Switch, useLocation } from "wouter";
import { paths } from "./paths.ts";
import { guardedScreens, landing, loadShell, notFound, openScreens, type Screen } from "./screens.ts";
import { Guard } from "./session/guard.tsx";
import { useSession } from "./session/session.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { useNavigation } from "./shell/navigation.ts";
import { LoadingStatus } from "./ui/states/spinner.tsx";

const Shell = lazy(loadShell);

const guardedPaths = guardedScreens.flatMap(({ at }) => at);

export function Routes() {
  useNavigation();
  const { state } = useSession();
  return (
    <Suspense fallback={<ComingScreen />}>
      <Switch>
        {routesOf(openScreens)}
        {state.status === "unauthenticated" && (
          <Route path={paths.home}>
            <landing.Show />
          </Route>
        )}
        {guardedPaths.map((path) => (
          // A common key keeps the shell mounted while the user moves between its screens.
          <Route key="guarded" path={path}>
            <Guard>
              <Shell>
                <Suspense fallback={<ComingScreen inShell />}>
                  <Switch>{routesOf(guardedScreens)}</Switch>
                </Suspense>
              </Shell>
            </Guard>
          </Route>
        ))}
        <Route>
          <notFound.Show />
        </Route>
      </Switch>
    </Suspense>
  );
}

function routesOf(screens: readonly Screen[]) {
  return screens.flatMap(({ at, Show }) =>
    at.map((path) => (
      <Route key={path} path={path}>
        <WithErrorBoundary>
          <Show />
        </WithErrorBoundary>
      </Route>
    )),
  );
}

/** Error boundary: a crashed screen leaves the shell usable, and navigating resets it. */
function WithErrorBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  return <ErrorBoundary key={path}>{children}</ErrorBoundary>;
}

/** Shown while a screen's code is loading; its text appears only after a noticeable delay. */
function ComingScreen({ inShell = false }: { inShell?: boolean }) {
  return (
    <>
      {inShell && <div className="h-(--header) border-b bg-surface" />}
      <div className="grid min-h-[60dvh] animate-fade-in-late place-items-center">
        <LoadingStatus>Загрузка...</LoadingStatus>
      </div>
    </>
  );
}
