/** All actions that the audit log records, each with the Russian text that people read. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { PLATFORM_NAMES } from "../integrations/platform-names.ts";
import { OrganizationParams } from "./organization-params.ts";

/** Groups of actions, in the order in which filters show them. */
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
type AuditGroup = keyof typeof AUDIT_GROUPS;

interface Action {
  group: AuditGroup;
  /** A sentence without its subject, because the person is named beside it. */
  sentence: string;
}

const action = (group: AuditGroup, sentence: string): Action => ({ group, sentence });

export const AUDIT_ACTIONS = {
  "sign-in": action("sign-in", "Вход в аккаунт"),
  "sign-in-failed": action("sign-in", "Неудачная попытка входа"),
  logout: action("sign-in", "Выход из аккаунта"),
  registration: action("sign-in", "Создан аккаунт"),
  "email-confirmed": action("sign-in", "Подтверждён адрес почты"),
  "installation-claimed": action("platform", "Аккаунт стал администратором платформы"),
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
  "tool-created": action("access", "Добавлено действие двойника"),
  "tool-changed": action("access", "Изменено действие двойника"),
  "tool-deleted": action("access", "Удалено действие двойника"),
  "tool-connected": action("access", "Подключена система для действий двойника"),
  "tool-proxy-changed": action("access", "Изменён прокси подключения действий двойника"),
  "tool-disconnected": action("access", "Отключена система действий двойника"),
  "act-called": action("access", "Двойник выполнил действие"),
  "act-answered": action("access", "Отвечено на вопрос двойника"),
  "act-rejected": action("access", "Отклонено действие двойника"),
  "act-settled": action("access", "Отмечено, выполнено ли действие двойника"),
  "integration-created": action("channels", "Подключена платформа"),
  "integration-changed": action("channels", "Изменено подключение платформы"),
  "integration-key-replaced": action("channels", "Заменён ключ подключённой платформы"),
  "crm-connected": action("channels", "Подключена CRM"),
  "crm-disconnected": action("channels", "Отключена CRM"),
  "crm-chosen": action("channels", "Выбрано, в какую CRM передаются диалоги двойника"),
  "integration-deleted": action("channels", "Отключена платформа"),
  "owner-chat-linked": action("channels", "Привязан личный чат для черновиков"),
  "owner-chat-unlinked": action("channels", "Отвязан личный чат для черновиков"),
  "twins-stopped": action("channels", "Остановлены все двойники"),
  "twins-resumed": action("channels", "Двойники снова отвечают"),
  "twin-created": action("twins", "Создан двойник"),
  "self-presentation-changed": action("twins", "Изменено, кем двойник представляет владельца"),
  "import-consent": action("twins", "Дано согласие на импорт переписки"),
  "website-added": action("twins", "Добавлен сайт; подтверждено, что он свой"),
  // Actions of release 0.2, whose entries stay: «почерк» was an adapter of a local model.
  "voice-added": action("twins", "Загружен почерк двойника"),
  "voice-switched": action("twins", "Включён или выключен почерк двойника"),
  "voice-removed": action("deletion", "Удалён почерк двойника"),
  "twin-deleted": action("deletion", "Удалён двойник"),
  "source-deleted": action("deletion", "Удалён источник переписки"),
  "chat-deleted": action("deletion", "Удалён чат из переписки"),
  "contact-deleted": action("deletion", "Удалено всё о собеседнике"),
  "document-deleted": action("deletion", "Удалён документ"),
  "website-deleted": action("deletion", "Удалён сайт с документами из него"),
  "conversation-deleted": action("deletion", "Удалён диалог"),
  "account-deleted": action("deletion", "Удалён аккаунт"),
  "organization-deleted": action("deletion", "Удалена организация"),
  "export-requested": action("export", "Запрошена выгрузка данных"),
  "voice-data-downloaded": action("export", "Скачаны пары для обучения модели"),
  "export-downloaded": action("export", "Скачана выгрузка данных"),
  "archive-imported": action("export", "Загружен архив другой установки"),
  "audit-exported": action("export", "Выгружен журнал действий"),
  "organization-added": action("organization", "Добавлена организация"),
  "organization-renamed": action("organization", "Организация переименована"),
  "organization-switched": action("organization", "Переход в другую организацию"),
  "plan-chosen": action("organization", "Выбран план"),
  "invoice-settled": action("organization", "Закрыт счёт"),
  "model-rule-changed": action("organization", "Изменено правило «только локальная модель»"),
  "organization-model-chosen": action("organization", "Выбрана модель на этом сервере для организации"),
  "model-budget-set": action("organization", "Изменён дневной предел расхода модели"),
  "model-added": action("platform", "Добавлена модель на сервер"),
  "model-chosen": action("platform", "Изменено, какая модель отвечает"),
  "model-removed": action("platform", "Удалена модель с сервера"),
  "remote-model-set": action("organization", "Подключена или изменена удалённая модель"),
  "remote-model-examined": action("organization", "Начат экзамен удалённой модели"),
  "remote-search-set": action("organization", "Поиск по смыслу через удалённую модель включён или выключен"),
  "remote-model-removed": action("organization", "Отключена удалённая модель"),
  "media-reader-set": action("organization", "Выбрано, кто распознаёт голосовые сообщения или картинки"),
  "plan-edited": action("platform", "Изменён план платформы"),
  "master-key-rotated": action("platform", "Сменён главный ключ шифрования"),
  "demo-seeded": action("platform", "Создано демонстрационное рабочее пространство"),
} as const satisfies Record<string, Action>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Russian labels of details; a detail without a label is not shown. */
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

/** Russian labels of detail values that are stored as ids. */
export const AUDIT_VALUES: Record<string, string> = {
  ...PLATFORM_NAMES,
  org_admin: "администратор",
  user: "участник",
  viewer: "наблюдатель",
  email: "почта и пароль",
  web: "чат на сайте",
  paid: "оплачен",
  cancelled: "отменён",
  active: "включено",
  inactive: "выключено",
  account: "свои данные",
  organization: "данные организации",
  true: "да",
  false: "нет",
};

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  /** Usually an `AuditAction`, but another release may have written other actions. */
  action: z.string(),
  sentence: z.string(),
  /** null when the person is unknown or the account was deleted. */
  actor: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  /** Name or id of the changed object. */
  subject: z.nullable(z.string()),
  details: z.array(z.object({ label: z.string(), value: z.string() })),
  /** null in an organisation's own log, and where the organisation is unknown. */
  organization: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const day = () => z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, "Ожидалась дата вида 2026-01-31"));
const filter = {
  /** An action's id, or `group:` followed by a group's id. */
  what: z.optional(z.string().check(z.maxLength(60))),
  who: z.optional(z.uuid("Неверный идентификатор")),
  /** Words to find in the name, the email address, the subject or the sentence. */
  q: z.optional(z.string().check(z.maxLength(200, "Слишком длинный запрос"))),
  from: z.optional(day()),
  to: z.optional(day()),
};
export const AuditFilter = z.object(filter);
export type AuditFilter = z.infer<typeof AuditFilter>;
/** Filters and cursor of a page of entries, newest first; the next page begins after the id that is sent as `after`. */
const AuditQuery = z.object({ ...filter, after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) });

/** Filters of an export, and the format of the table that the client creates. */
const AuditExportInput = z.object({ ...filter, format: z.literal("csv", "Ожидалось csv") });
export const AUDIT_EXPORT_ROWS = 10_000;
export const AuditExport = z.object({ entries: z.array(AuditEntry), complete: z.boolean() });

export const auditApi = {
  list: endpoint("GET /api/organizations/:orgId/audit", {
    access: "org_admin",
    tags: ["organization"],
    summary: "Журнал действий организации, новые первыми",
    params: OrganizationParams,
    query: AuditQuery,
    output: z.array(AuditEntry),
  }),
  export: endpoint("POST /api/organizations/:orgId/audit/export", {
    access: "org_admin",
    refreshes: "nothing",
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
    refreshes: "nothing",
    summary: "Журнал действий платформы для таблицы; о выгрузке остаётся запись",
    input: AuditExportInput,
    output: AuditExport,
  }),
};
