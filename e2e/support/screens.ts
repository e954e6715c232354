/**
 * Every screen of the product, once: the tests that visit all of them and the pictures take their addresses from here.
 * `scripts/first-loads.test.mjs` compares it with `web/screens.ts`.
 */
export interface Screen {
  /** Of its picture. */
  name: string;
  /** `{id}` is a twin's, `{integration}` an integration's. */
  at: string;
  /** Further addresses of the same screen. */
  also?: readonly string[];
  /** Expected by `e2e/shell/addresses.spec.ts`; a screen without it is visited by the tests of its own folder alone. */
  h1?: string;
  /** `nobody` is not signed in, `new` has no twin, `operator` is the platform's administrator. */
  as: "nobody" | "demo" | "new" | "operator";
}

export const SCREENS: readonly Screen[] = [
  { name: "landing", at: "/landing", h1: "ИИ, который отвечает вашими словами", as: "nobody" },
  { name: "login", at: "/login", h1: "Цифровые двойники", as: "nobody" },
  { name: "register", at: "/register", h1: "Регистрация", as: "nobody" },
  { name: "forgot-password", at: "/forgot-password", as: "nobody" },
  { name: "reset-password", at: "/reset-password", as: "nobody" },
  { name: "confirm-email", at: "/confirm-email", as: "nobody" },
  { name: "invitation", at: "/invitation", as: "nobody" },
  { name: "privacy", at: "/legal/privacy", as: "nobody" },
  { name: "terms", at: "/legal/terms", as: "nobody" },
  { name: "dashboard", at: "/dashboard", also: ["/"], h1: "Панель управления", as: "demo" },
  { name: "twins", at: "/twins", h1: "Цифровые двойники", as: "demo" },
  { name: "train-ai", at: "/train-ai", h1: "Обучение ИИ", as: "demo" },
  { name: "create-twin", at: "/create-twin", h1: "Создание двойника", as: "demo" },
  { name: "edit-twin", at: "/edit-twin/{id}", h1: "Редактирование двойника", as: "demo" },
  { name: "twin-settings", at: "/twin-settings/{id}", h1: "Настройки двойника", as: "demo" },
  { name: "twin-quality", at: "/twin-quality/{id}", as: "demo" },
  { name: "twin-corrections", at: "/twin-corrections/{id}", as: "demo" },
  { name: "twin-replies", at: "/twin-replies/{id}", as: "demo" },
  { name: "twin-manner", at: "/twin-manner/{id}", h1: "Манера для всех", as: "demo" },
  { name: "twin-facts", at: "/twin-facts/{id}", as: "demo" },
  { name: "twin-gaps", at: "/twin-gaps/{id}", h1: "Пробелы", as: "demo" },
  { name: "twin-exam", at: "/twin-exam/{id}", h1: "Экзамен двойника", as: "demo" },
  { name: "twin-tools", at: "/twin-tools/{id}", h1: "Действия", as: "demo" },
  { name: "twin-access", at: "/twin-access/{id}", as: "demo" },
  { name: "conversations", at: "/conversations", h1: "Диалоги", as: "demo" },
  { name: "analytics", at: "/analytics", h1: "Аналитика", as: "demo" },
  { name: "onboarding", at: "/onboarding", h1: "Знакомство с двойником", as: "demo" },
  { name: "knowledge", at: "/knowledge", also: ["/knowledge-base"], h1: "База знаний", as: "demo" },
  { name: "integrations", at: "/integrations", h1: "Интеграции", as: "demo" },
  { name: "integration", at: "/integrations/{integration}", as: "demo" },
  { name: "add-integration", at: "/add-integration", h1: "Добавить интеграцию", as: "demo" },
  { name: "crm", at: "/crm", also: ["/crm-integration"], h1: "CRM интеграция", as: "demo" },
  { name: "account", at: "/account", h1: "Мой аккаунт", as: "new" },
  { name: "settings", at: "/settings", h1: "Ваши настройки", as: "demo" },
  { name: "admin", at: "/admin", also: ["/admin-dashboard"], h1: "Супер-админ панель", as: "demo" },
  { name: "org-admin", at: "/org-admin", also: ["/org-admin-dashboard"], h1: "Организация", as: "demo" },
  { name: "organization-audit", at: "/organization-audit", as: "demo" },
  { name: "organization-data", at: "/organization-data", as: "demo" },
  { name: "platform-audit", at: "/platform-audit", as: "operator" },
  { name: "platform-health", at: "/platform-health", as: "demo" },
  { name: "model", at: "/model", as: "operator" },
];
