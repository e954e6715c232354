import { type ComponentType, lazy } from "react";
import { paths } from "./paths.ts";

type Load = () => Promise<{ default: ComponentType }>;

export interface Screen {
  /** Patterns; the first is the address that links use, the others are its second names. */
  at: readonly string[];
  load: Load;
  Show: ComponentType;
}

function screen(load: Load, ...at: string[]): Screen {
  return { at, load, Show: lazy(load) };
}

export const landing = screen(() => import("./landing/landing-page.tsx"), paths.landing);
export const notFound = screen(() => import("./shell/not-found-page.tsx"));

/** Screens for everybody. */
export const openScreens: readonly Screen[] = [
  screen(() => import("./auth/login-page.tsx"), paths.login),
  screen(() => import("./auth/register-page.tsx"), paths.register),
  screen(() => import("./auth/forgot-password-page.tsx"), paths.forgotPassword),
  screen(() => import("./auth/reset-password-page.tsx"), paths.resetPassword),
  screen(() => import("./auth/confirm-email-page.tsx"), paths.confirmEmail),
  landing,
];

/** Screens for who is signed in; «/» is the landing page for anyone else. */
export const guardedScreens: readonly Screen[] = [
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

/** Starts fetching a screen's code before it is asked for: at start beside the verification, and under the pointer. */
export function preloadScreen(path: string) {
  const first = `/${path.split(/[/?]/)[1] ?? ""}`;
  const found = guardedScreens.find(({ at }) => at.some((pattern) => pattern.split("/:")[0] === first));
  // A failure shows when the screen is really opened.
  found?.load().catch(() => undefined);
}
