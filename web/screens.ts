import { type ComponentType, lazy } from "react";
import { authToken } from "./api/auth-token.ts";
import { paths } from "./paths.ts";

type Load = () => Promise<{ default: ComponentType }>;

export interface Screen {
  /** Path patterns; links use the first one, the others are aliases. */
  at: readonly string[];
  load: Load;
  Show: ComponentType;
}

function screen(load: Load, ...at: string[]): Screen {
  return { at, load, Show: lazy(load) };
}

export const landing = screen(() => import("./landing/landing-page.tsx"), paths.landing);
export const notFound = screen(() => import("./shell/not-found-page.tsx"));

export const openScreens: readonly Screen[] = [
  screen(() => import("./auth/login-page.tsx"), paths.login),
  screen(() => import("./auth/register-page.tsx"), paths.register),
  screen(() => import("./auth/forgot-password-page.tsx"), paths.forgotPassword),
  screen(() => import("./auth/reset-password-page.tsx"), paths.resetPassword),
  screen(() => import("./auth/confirm-email-page.tsx"), paths.confirmEmail),
  screen(() => import("./auth/invitation-page.tsx"), paths.invitation),
  screen(() => import("./legal/privacy-page.tsx"), paths.privacy),
  screen(() => import("./legal/terms-page.tsx"), paths.terms),
  landing,
];

/** Screens for signed-in users; for others «/» is the landing page. */
export const guardedScreens: readonly Screen[] = [
  screen(() => import("./dashboard/dashboard-page.tsx"), paths.dashboard, paths.home),
  screen(() => import("./twins/twins-page.tsx"), paths.twins),
  screen(() => import("./twins/create-twin-page.tsx"), paths.createTwin),
  screen(() => import("./twins/edit-twin-page.tsx"), "/edit-twin/:id"),
  screen(() => import("./twins/twin-settings-page.tsx"), "/twin-settings/:id"),
  screen(() => import("./quality/quality-page.tsx"), "/twin-quality/:id", "/twin-voice/:id"),
  screen(() => import("./corrections/corrections-page.tsx"), "/twin-corrections/:id"),
  screen(() => import("./open-replies/open-replies-page.tsx"), "/twin-replies/:id"),
  screen(() => import("./manner/manner-page.tsx"), "/twin-manner/:id"),
  screen(() => import("./facts/facts-page.tsx"), "/twin-facts/:id"),
  screen(() => import("./gaps/gaps-page.tsx"), "/twin-gaps/:id"),
  screen(() => import("./twin-exam/twin-exam-page.tsx"), "/twin-exam/:id"),
  screen(() => import("./tools/twin-tools-page.tsx"), "/twin-tools/:id"),
  screen(() => import("./access/twin-access-page.tsx"), "/twin-access/:id"),
  screen(() => import("./knowledge/train-ai-page.tsx"), paths.trainAi),
  screen(() => import("./knowledge-base/knowledge-page.tsx"), paths.knowledge, "/knowledge-base"),
  screen(() => import("./integrations/integrations-page.tsx"), paths.integrations),
  screen(() => import("./integrations/one/integration-page.tsx"), "/integrations/:id"),
  screen(() => import("./integrations/setup/add-integration-page.tsx"), paths.addIntegration),
  screen(() => import("./integrations/crm/crm-page.tsx"), paths.crm, "/crm-integration"),
  screen(() => import("./conversations/conversations-page.tsx"), paths.conversations),
  screen(() => import("./analytics/analytics-page.tsx"), paths.analytics),
  screen(() => import("./onboarding/onboarding-page.tsx"), paths.onboarding),
  screen(() => import("./platform-admin/platform-admin-page.tsx"), paths.admin, "/admin-dashboard"),
  screen(() => import("./organizations/organization-admin-page.tsx"), paths.orgAdmin, "/org-admin-dashboard"),
  screen(() => import("./account/settings-page.tsx"), paths.settings),
  screen(() => import("./account/account-page.tsx"), paths.account),
  screen(() => import("./audit/organization-audit-page.tsx"), paths.organizationAudit),
  screen(() => import("./audit/platform-audit-page.tsx"), paths.platformAudit),
  screen(() => import("./platform-health/health-page.tsx"), paths.platformHealth),
  screen(() => import("./organization-data/organization-data-page.tsx"), paths.organizationData),
  screen(() => import("./model/model-page.tsx"), paths.model),
];

export const loadShell = () => import("./shell/shell.tsx");

/** Preloads the code of the screen that a signed-in user sees at `path`, while the token is verified or the user signs in. */
export function preloadSignedIn(path: string) {
  preload(loadShell);
  preloadScreen(path, guardedScreens);
}

/** Preloads the code of linked screens on hover, touch or focus of a link. */
export function preloadBehindLinks() {
  function near({ target }: Event) {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/"]');
    if (link) preloadScreen(link.pathname, authToken() ? [...guardedScreens, ...openScreens] : openScreens);
  }
  addEventListener("pointerover", near, { passive: true });
  addEventListener("focusin", near);
}

function preloadScreen(path: string, among: readonly Screen[]) {
  const first = `/${path.split(/[/?]/)[1] ?? ""}`;
  const found = among.find(({ at }) => at.some((pattern) => pattern.split("/:")[0] === first));
  if (found) preload(found.load);
}

function preload(load: () => Promise<unknown>) {
  // Preload failures are ignored; opening the screen reports them.
  load().catch(() => undefined);
}
