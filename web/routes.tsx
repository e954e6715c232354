import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Route, Switch, useLocation } from "wouter";
import { Guard } from "./guard.tsx";
import { paths } from "./paths.ts";
import { useSession } from "./session.tsx";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { useNavigation } from "./shell/navigation.ts";
import { LoadingStatus } from "./ui/spinner.tsx";

interface Screen {
  /** The first is the address that links use; the others are its second names. */
  at: [string, ...string[]];
  show: ComponentType;
}

type Module = Promise<{ default: ComponentType }>;
const screen = (load: () => Module, ...at: [string, ...string[]]): Screen => ({ at, show: lazy(load) });

const Landing = lazy(() => import("./landing/landing-page.tsx"));
const Shell = lazy(() => import("./shell/shell.tsx"));
const NotFound = lazy(() => import("./shell/not-found-page.tsx"));

const open: Screen[] = [
  screen(() => import("./auth/login-page.tsx"), paths.login),
  screen(() => import("./auth/register-page.tsx"), paths.register),
  screen(() => import("./auth/forgot-password-page.tsx"), paths.forgotPassword),
  screen(() => import("./auth/reset-password-page.tsx"), paths.resetPassword),
  screen(() => import("./auth/confirm-email-page.tsx"), paths.confirmEmail),
  { at: [paths.landing], show: Landing },
];

const guarded: Screen[] = [
  screen(() => import("./dashboard/dashboard-page.tsx"), paths.dashboard, paths.home),
  screen(() => import("./twins/twins-page.tsx"), paths.twins),
  screen(() => import("./twins/create-twin-page.tsx"), paths.createTwin),
  screen(() => import("./twins/edit-twin-page.tsx"), "/edit-twin/:id"),
  screen(() => import("./twins/twin-settings-page.tsx"), "/twin-settings/:id"),
  screen(() => import("./knowledge/train-ai-page.tsx"), paths.trainAi),
  screen(() => import("./knowledge/knowledge-page.tsx"), paths.knowledge, "/knowledge-base"),
  screen(() => import("./integrations/integrations-page.tsx"), paths.integrations),
  screen(() => import("./integrations/add-integration-page.tsx"), paths.addIntegration),
  screen(() => import("./crm/crm-page.tsx"), paths.crm, "/crm-integration"),
  screen(() => import("./conversations/conversations-page.tsx"), paths.conversations),
  screen(() => import("./analytics/analytics-page.tsx"), paths.analytics),
  screen(() => import("./onboarding/onboarding-page.tsx"), paths.onboarding),
  screen(() => import("./platform-admin/platform-admin-page.tsx"), paths.admin, "/admin-dashboard"),
  screen(() => import("./organizations/organization-admin-page.tsx"), paths.orgAdmin, "/org-admin-dashboard"),
];

const guardedPaths = guarded.flatMap(({ at }) => at);

export function Routes() {
  useNavigation();
  const { state } = useSession();
  return (
    <Suspense fallback={<WholeScreen />}>
      <Switch>
        {routesOf(open)}
        {state.status === "unauthenticated" && (
          <Route path={paths.home}>
            <Landing />
          </Route>
        )}
        {guardedPaths.map((path) => (
          // One key for all: the shell stays mounted while one moves between its screens.
          <Route key="guarded" path={path}>
            <Guard>
              <Shell>
                <Suspense fallback={<WholeScreen />}>
                  <Switch>{routesOf(guarded)}</Switch>
                </Suspense>
              </Shell>
            </Guard>
          </Route>
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  );
}

function routesOf(screens: Screen[]) {
  return screens.flatMap(({ at, show: Show }) =>
    at.map((path) => (
      <Route key={path} path={path}>
        <Fenced>
          <Show />
        </Fenced>
      </Route>
    )),
  );
}

/** A screen that breaks leaves the shell usable; another address starts afresh. */
function Fenced({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  return <ErrorBoundary key={path}>{children}</ErrorBoundary>;
}

function WholeScreen() {
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <LoadingStatus>Загрузка...</LoadingStatus>
    </div>
  );
}
