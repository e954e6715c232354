/** Leaving for good: the export of everything, deletion of an account and of an organisation, and the record that stays of it. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { OrganizationParams } from "./organizations.ts";

/** What goes, in numbers. */
export const DeletedCounts = z.object({
  twins: z.number(),
  documents: z.number(),
  messages: z.number(),
  conversations: z.number(),
  files: z.number(),
});
export type DeletedCounts = z.infer<typeof DeletedCounts>;

/** Stays for good: it holds nobody's words and nobody's name. */
export const DestructionRecord = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(["account", "organization"]),
  /** Id of what was deleted, and of whoever did it. */
  subject: z.string(),
  by: z.string(),
  counts: DeletedCounts,
});
export type DestructionRecord = z.infer<typeof DestructionRecord>;

/** What becomes of an organisation when the account goes: it goes as well, the account leaves it, or it stands in the way. */
export const AccountPlace = z.object({
  organizationId: z.string(),
  name: z.string(),
  outcome: z.enum(["deleted", "left", "hand-over"]),
  twins: z.number(),
});

export const AccountDeletion = z.object({
  /** False for an account without a password: a sign-in of a moment ago stands for it. */
  asksPassword: z.boolean(),
  places: z.array(AccountPlace),
  counts: DeletedCounts,
});
export type AccountDeletion = z.infer<typeof AccountDeletion>;

export const OrganizationDeletion = z.object({
  asksPassword: z.boolean(),
  name: z.string(),
  members: z.number(),
  counts: DeletedCounts,
});
export type OrganizationDeletion = z.infer<typeof OrganizationDeletion>;

/** What is typed to delete an account; to delete an organisation it is its name. */
export const ACCOUNT_WORD = "УДАЛИТЬ";

const password = z.optional(z.string().check(z.maxLength(1000)));
const typed = z
  .string("Введите подтверждение")
  .check(z.trim(), z.minLength(1, "Введите подтверждение"), z.maxLength(300));
export const DeletionInput = z.object({ confirmation: typed, password });

/** An export is kept so long after it is ready. */
export const EXPORT_KEPT_DAYS = 7;

/**
 * Why there is no file: the organisation's exports take too much; the server's disk is full; it broke off or failed again and again;
 * something was deleted after the export had begun, and a copy of it must not stay; who asked may no longer have it.
 */
export const ExportFailure = z.enum(["storage_full", "no_space", "broken", "outdated", "not_allowed"]);
export type ExportFailure = z.infer<typeof ExportFailure>;

/** A zip of everything: of one person in an organisation, or of the organisation. Only whoever asked for it sees it. */
export const DataExport = z.object({
  id: z.string(),
  state: z.enum(["waiting", "running", "ready", "failed"]),
  reason: z.nullable(ExportFailure),
  /** 0..1 */
  progress: z.number(),
  /** Of the zip; 0 until it is ready. */
  bytes: z.number(),
  requestedAt: z.string(),
  readyAt: z.nullable(z.string()),
  /** When the file is deleted. */
  keptUntil: z.nullable(z.string()),
});
export type DataExport = z.infer<typeof DataExport>;
const MaybeExport = z.nullable(DataExport);

export const recordsApi = {
  accountExport: endpoint("GET /api/account/export", {
    access: "signed-in",
    summary: "Состояние своей выгрузки всех данных; null, если её не просили",
    output: MaybeExport,
  }),
  /** 403 `fresh_sign_in_needed` when nobody has shown who is there lately. */
  requestAccountExport: endpoint("POST /api/account/export", {
    access: "signed-in",
    summary: "Подготовить zip со всем, что принадлежит вам в этой организации",
    output: DataExport,
    status: 202,
  }),
  removeAccountExport: endpoint("DELETE /api/account/export", {
    access: "signed-in",
    summary: "Отменить свою выгрузку или удалить готовую",
  }),
  accountExportFile: endpoint("GET /api/account/export/file", {
    access: "signed-in",
    summary: "Скачать свою готовую выгрузку (application/zip)",
    status: 200,
  }),
  organizationExport: endpoint("GET /api/organizations/:orgId/export", {
    access: "org_admin",
    summary: "Состояние выгрузки организации, которую просили вы; null, если её не просили",
    params: OrganizationParams,
    output: MaybeExport,
  }),
  requestOrganizationExport: endpoint("POST /api/organizations/:orgId/export", {
    access: "org_admin",
    summary: "Подготовить zip со всеми данными организации, кроме личной переписки участников",
    params: OrganizationParams,
    output: DataExport,
    status: 202,
  }),
  removeOrganizationExport: endpoint("DELETE /api/organizations/:orgId/export", {
    access: "org_admin",
    summary: "Отменить выгрузку организации или удалить готовую",
    params: OrganizationParams,
  }),
  organizationExportFile: endpoint("GET /api/organizations/:orgId/export/file", {
    access: "org_admin",
    summary: "Скачать готовую выгрузку организации (application/zip)",
    params: OrganizationParams,
    status: 200,
  }),

  accountDeletion: endpoint("GET /api/account/deletion", {
    access: "signed-in",
    summary: "Что удалится вместе с аккаунтом",
    output: AccountDeletion,
  }),
  deleteAccount: endpoint("POST /api/account/deletion", {
    access: "signed-in",
    summary: "Удалить свой аккаунт со всем, что ему принадлежит",
    input: DeletionInput,
    output: DestructionRecord,
  }),
  organizationDeletion: endpoint("GET /api/organizations/:orgId/deletion", {
    access: "org_admin",
    summary: "Что удалится вместе с организацией",
    params: OrganizationParams,
    output: OrganizationDeletion,
  }),
  deleteOrganization: endpoint("POST /api/organizations/:orgId/deletion", {
    access: "org_admin",
    summary: "Удалить организацию целиком",
    params: OrganizationParams,
    input: DeletionInput,
    output: DestructionRecord,
  }),
};
