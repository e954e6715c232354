/** Every path of the application. Aliases show the same screen as the first path. */
export const paths = {
  home: "/",
  login: "/login",
  register: "/register",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  confirmEmail: "/confirm-email",
  invitation: "/invitation",
  landing: "/landing",
  dashboard: "/dashboard",
  twins: "/twins",
  createTwin: "/create-twin",
  editTwin: (id: string) => `/edit-twin/${encodeURIComponent(id)}`,
  twinSettings: (id: string) => `/twin-settings/${encodeURIComponent(id)}`,
  twinQuality: (id: string) => `/twin-quality/${encodeURIComponent(id)}`,
  twinCorrections: (id: string) => `/twin-corrections/${encodeURIComponent(id)}`,
  twinReplies: (id: string) => `/twin-replies/${encodeURIComponent(id)}`,
  twinManner: (id: string) => `/twin-manner/${encodeURIComponent(id)}`,
  twinFacts: (id: string) => `/twin-facts/${encodeURIComponent(id)}`,
  twinGaps: (id: string) => `/twin-gaps/${encodeURIComponent(id)}`,
  twinExam: (id: string) => `/twin-exam/${encodeURIComponent(id)}`,
  twinTools: (id: string) => `/twin-tools/${encodeURIComponent(id)}`,
  twinAccess: (id: string) => `/twin-access/${encodeURIComponent(id)}`,
  trainAi: "/train-ai",
  conversations: "/conversations",
  conversation: (id: string) => `/conversations?dialog=${encodeURIComponent(id)}`,
  message: (conversationId: string, id: string) =>
    `/conversations?dialog=${encodeURIComponent(conversationId)}&message=${encodeURIComponent(id)}`,
  conversationsOf: (day: string, twinId = "") =>
    `/conversations?day=${day}${twinId && `&twin=${encodeURIComponent(twinId)}`}`,
  approvals: "/conversations?tab=approval",
  /** One act in the queue of what waits. */
  waitingAct: (id: string) => `/conversations?tab=approval&act=${id}`,
  analytics: "/analytics",
  onboarding: "/onboarding",
  knowledge: "/knowledge",
  /** Messages of a twin's history, with one of them marked. */
  letter: (twinId: string, { id, before }: { id: string; before: string }) =>
    `/knowledge?tab=messages&${new URLSearchParams({ twin: twinId, message: id, before })}`,
  integrations: "/integrations",
  integration: (id: string) => `/integrations/${encodeURIComponent(id)}`,
  addIntegration: "/add-integration",
  crm: "/crm",
  admin: "/admin",
  orgAdmin: "/org-admin",
  settings: "/settings",
  account: "/account",
  privacy: "/legal/privacy",
  terms: "/legal/terms",
  organizationAudit: "/organization-audit",
  organizationData: "/organization-data",
  model: "/model",
  platformAudit: "/platform-audit",
  platformHealth: "/platform-health",
} as const;

/** The path to return to after signing in; undefined unless it belongs to this application. */
export function returnAddress(search: string): string | undefined {
  const address = new URLSearchParams(search).get("return");
  // «//host» and «/\host» lead to another site.
  return address !== null && /^\/(?![/\\])/.test(address) ? address : undefined;
}

/** A new user registers and continues to `address`; a user with an account finds the login there, which continues to it too. */
export const registerWithReturn = (address: string): string =>
  `${paths.register}?return=${encodeURIComponent(address)}`;

export function loginWithReturn(address: string): string {
  return address === paths.home ? paths.login : `${paths.login}?return=${encodeURIComponent(address)}`;
}
