/** What is written into the audit log: every action once, with the sentence that people read. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { OrganizationParams } from "./organizations.ts";

/** Groups in the order in which filters show them. */
export const AUDIT_GROUPS = {
  "sign-in": "Вход и пароли",
  members: "Участники и роли",
  access: "Ключи, вебхуки и виджет",
  channels: "Подключения",
  twins: "Двойники и знания",
  deletion: "Удаление",
  export: "Выгрузка данных",
  organization: "Организация и оплата",
  platform: "Платформа",
} as const;
export type AuditGroup = keyof typeof AUDIT_GROUPS;

interface Action {
  group: AuditGroup;
  /** A sentence without its subject, who is named beside it. */
  sentence: string;
}

const action = (group: AuditGroup, sentence: string): Action => ({ group, sentence });

export const AUDIT_ACTIONS = {
  "sign-in": action("sign-in", "Вход в аккаунт"),
  "sign-in-failed": action("sign-in", "Неудачная попытка входа"),
  logout: action("sign-in", "Выход из аккаунта"),
  registration: action("sign-in", "Создан аккаунт"),
  "email-confirmed": action("sign-in", "Подтверждён адрес почты"),
  "confirmation-requested": action("sign-in", "Запрошено письмо для подтверждения почты"),
  "password-reset-requested": action("sign-in", "Запрошено письмо для смены пароля"),
  "password-reset": action("sign-in", "Задан новый пароль по ссылке из письма"),
  "account-started-clean": action("sign-in", "Аккаунт начат заново владельцем почты: прежнее стёрто"),
  "password-changed": action("sign-in", "Сменён пароль"),
  "second-factor-on": action("sign-in", "Включён код из приложения при входе"),
  "second-factor-off": action("sign-in", "Выключен код из приложения при входе"),
  "recovery-codes-made": action("sign-in", "Созданы новые резервные коды"),
  "recovery-code-used": action("sign-in", "Вход по резервному коду"),
  "passkey-added": action("sign-in", "Добавлен ключ доступа"),
  "passkey-renamed": action("sign-in", "Переименован ключ доступа"),
  "passkey-removed": action("sign-in", "Удалён ключ доступа"),
  "confirmed-again": action("sign-in", "Личность подтверждена ещё раз"),
  "confirmation-failed": action("sign-in", "Не удалось подтвердить личность ещё раз"),
  "session-ended": action("sign-in", "Завершён один из сеансов"),
  "sessions-ended": action("sign-in", "Завершены все остальные сеансы"),
  consent: action("sign-in", "Принято согласие на обработку данных"),
  invitation: action("members", "Приглашён новый участник"),
  "invitation-accepted": action("members", "Приглашение принято"),
  "invitation-revoked": action("members", "Приглашение отозвано"),
  "role-changed": action("members", "Изменена роль участника"),
  "member-removed": action("members", "Участник исключён"),
  "holdings-ended": action("members", "Подключённое участником отключено"),
  "twin-handed-over": action("members", "Двойник передан администратору"),
  "api-key-created": action("access", "Создан ключ для программ"),
  "api-key-revoked": action("access", "Отозван ключ для программ"),
  "api-key-used": action("access", "Ключом для программ воспользовались, первый раз за день"),
  "webhook-created": action("access", "Добавлен вебхук"),
  "webhook-changed": action("access", "Изменён вебхук"),
  "webhook-deleted": action("access", "Удалён вебхук"),
  "webhook-secret-changed": action("access", "Сменён секрет вебхука"),
  "widget-saved": action("access", "Изменён чат для сайта"),
  "integration-created": action("channels", "Подключена платформа"),
  "integration-changed": action("channels", "Изменено подключение платформы"),
  "integration-deleted": action("channels", "Отключена платформа"),
  "owner-chat-linked": action("channels", "Привязан личный чат для черновиков"),
  "owner-chat-unlinked": action("channels", "Отвязан личный чат для черновиков"),
  "twins-stopped": action("channels", "Остановлены все двойники"),
  "twins-resumed": action("channels", "Двойники снова отвечают"),
  "twin-created": action("twins", "Создан двойник"),
  "import-consent": action("twins", "Дано согласие на импорт переписки"),
  "twin-deleted": action("deletion", "Удалён двойник"),
  "source-deleted": action("deletion", "Удалён источник переписки"),
  "chat-deleted": action("deletion", "Удалён чат из переписки"),
  "contact-deleted": action("deletion", "Удалено всё о собеседнике"),
  "document-deleted": action("deletion", "Удалён документ"),
  "conversation-deleted": action("deletion", "Удалён диалог"),
  "account-deleted": action("deletion", "Удалён аккаунт"),
  "organization-deleted": action("deletion", "Удалена организация"),
  "export-requested": action("export", "Запрошена выгрузка данных"),
  "export-downloaded": action("export", "Скачана выгрузка данных"),
  "archive-imported": action("export", "Загружен архив другой установки"),
  "audit-exported": action("export", "Выгружен журнал действий"),
  "organization-added": action("organization", "Добавлена организация"),
  "organization-renamed": action("organization", "Организация переименована"),
  "organization-switched": action("organization", "Переход в другую организацию"),
  "plan-chosen": action("organization", "Выбран план"),
  "invoice-settled": action("organization", "Закрыт счёт"),
  "model-rule-changed": action("organization", "Изменено правило «только локальная модель»"),
  "model-budget-set": action("organization", "Изменён дневной предел расхода модели"),
  "plan-edited": action("platform", "Изменён план платформы"),
  "master-key-rotated": action("platform", "Сменён главный ключ шифрования"),
  "demo-seeded": action("platform", "Создано демонстрационное рабочее пространство"),
} as const satisfies Record<string, Action>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** What details are called; a detail that is not named here is not shown. */
export const AUDIT_DETAILS: Record<string, string> = {
  method: "способ",
  ip: "адрес",
  reason: "причина",
  role: "роль",
  from: "прежняя роль",
  platform: "платформа",
  host: "сервер",
  name: "название",
  email: "почта",
  scopes: "права",
  price: "цена, ₽",
  status: "состояние",
  conversations: "диалогов",
  twins: "двойников",
  messages: "сообщений",
  documents: "документов",
  files: "файлов",
  members: "участников",
  values: "значений",
  rows: "строк",
  changed: "изменено",
  localOnly: "только локальная модель",
  scope: "что",
};

/** What stands in a detail by its id. */
export const AUDIT_VALUES: Record<string, string> = {
  org_admin: "администратор",
  user: "участник",
  viewer: "наблюдатель",
  email: "почта и пароль",
  telegram: "Telegram",
  whatsapp: "WhatsApp",
  slack: "Slack",
  discord: "Discord",
  web: "чат на сайте",
  paid: "оплачен",
  cancelled: "отменён",
  account: "свои данные",
  organization: "данные организации",
  true: "да",
  false: "нет",
};

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** An AuditAction; a release that is not this one may have written another. */
  action: z.string(),
  sentence: z.string(),
  /** Null where nobody is known, or the account is gone. */
  actor: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  /** What it was done to, by name where it has one. */
  subject: z.nullable(z.string()),
  details: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Null for the organisation's own log, and where none is known. */
  organization: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const day = () => z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, "Ожидалась дата вида 2026-01-31"));
const filter = {
  /** An action, or `group:` and a group. */
  what: z.optional(z.string().check(z.maxLength(60))),
  /** Id of the person who acted. */
  who: z.optional(z.uuid("Неверный идентификатор")),
  /** Words of the name, the e-mail, the subject or the sentence. */
  q: z.optional(z.string().check(z.maxLength(200, "Слишком длинный запрос"))),
  /** Days of Moscow's, both included. */
  from: z.optional(day()),
  to: z.optional(day()),
};
export const AuditFilter = z.object(filter);
export type AuditFilter = z.infer<typeof AuditFilter>;
/** Newest first; the next portion begins behind the id given as `after`. */
export const AuditQuery = z.object({ ...filter, after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) });

/** What is wanted for a table: a program that makes one names it. */
export const AuditExportInput = z.object({ ...filter, format: z.literal("csv", "Ожидалось csv") });
/** An export holds at most so many entries, the newest. */
export const AUDIT_EXPORT_ROWS = 10_000;
export const AuditExport = z.object({ entries: z.array(AuditEntry), complete: z.boolean() });

export const auditApi = {
  list: endpoint("GET /api/organizations/:orgId/audit", {
    access: "org_admin",
    summary: "Журнал действий организации, новые первыми",
    params: OrganizationParams,
    query: AuditQuery,
    output: z.array(AuditEntry),
  }),
  export: endpoint("POST /api/organizations/:orgId/audit/export", {
    access: "org_admin",
    summary: "Журнал действий организации для таблицы; о выгрузке остаётся запись",
    params: OrganizationParams,
    input: AuditExportInput,
    output: AuditExport,
  }),
  listAll: endpoint("GET /api/admin/audit", {
    access: "super_admin",
    summary: "Журнал действий всей платформы, новые первыми",
    query: AuditQuery,
    output: z.array(AuditEntry),
  }),
  exportAll: endpoint("POST /api/admin/audit/export", {
    access: "super_admin",
    summary: "Журнал действий платформы для таблицы; о выгрузке остаётся запись",
    input: AuditExportInput,
    output: AuditExport,
  }),
};
