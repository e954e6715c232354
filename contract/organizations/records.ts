/** Export of all data, deletion of an account or an organisation, and the record that remains of a deletion. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { OrganizationParams } from "./organization-params.ts";

export const DeletedCounts = z.object({
  twins: z.number(),
  documents: z.number(),
  messages: z.number(),
  conversations: z.number(),
  files: z.number(),
});
export type DeletedCounts = z.infer<typeof DeletedCounts>;

/** Record of a deletion. It is kept permanently and therefore contains no names and no texts. */
export const DestructionRecord = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(["account", "organization"]),
  /** Id of the deleted account or organisation. */
  subject: z.string(),
  /** Id of the user who deleted it. */
  by: z.string(),
  counts: DeletedCounts,
});
export type DestructionRecord = z.infer<typeof DestructionRecord>;

/**
 * What happens to an organisation when the account is deleted: it is deleted too, the account leaves it, or it must be handed over
 * first.
 */
const AccountPlace = z.object({
  organizationId: z.string(),
  name: z.string(),
  outcome: z.enum(["deleted", "left", "hand-over"]),
  twins: z.number(),
});

export const AccountDeletion = z.object({
  /** false for an account without a password, for which a recent sign-in is required instead. */
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

/** Word that must be typed to delete an account. To delete an organisation its name must be typed. */
export const ACCOUNT_WORD = "УДАЛИТЬ";
/** Word that must be typed on the English page to delete an account. */
export const ENGLISH_ACCOUNT_WORD = "DELETE";

const password = z.optional(z.string().check(z.maxLength(1000)));
const typed = z
  .string("Введите подтверждение")
  .check(z.trim(), z.minLength(1, "Введите подтверждение"), z.maxLength(300));
const DeletionInput = z.object({ confirmation: typed, password });

export const EXPORT_KEPT_DAYS = 7;

/**
 * Why there is no file. storage_full: the organisation's exports take too much space; no_space: the server's disk is full; broken: the
 * job failed repeatedly; outdated: data was deleted after the export had begun; not_allowed: the requester has lost the right to it.
 */
export const ExportFailure = z.enum(["storage_full", "no_space", "broken", "outdated", "not_allowed"]);
export type ExportFailure = z.infer<typeof ExportFailure>;

/** A zip file with all data of one member or of the organisation. Only the user who requested it can see it. */
export const DataExport = z.object({
  id: z.string(),
  state: z.enum(["waiting", "running", "ready", "failed"]),
  reason: z.nullable(ExportFailure),
  /** Share of the export that is done, 0..1. */
  progress: z.number(),
  /** Size of the zip file; 0 until it is ready. */
  bytes: z.number(),
  requestedAt: z.string(),
  readyAt: z.nullable(z.string()),
  keptUntil: z.nullable(z.string()),
});
export type DataExport = z.infer<typeof DataExport>;
const MaybeExport = z.nullable(DataExport);

export const recordsApi = {
  accountExport: endpoint("GET /api/account/export", {
    access: "signed-in",
    tags: ["export"],
    summary: "Состояние своей выгрузки всех данных; null, если её не просили",
    output: MaybeExport,
  }),
  /** Responds 403 `fresh_sign_in_needed` when the session has no recent sign-in or confirmation. */
  requestAccountExport: endpoint("POST /api/account/export", {
    access: "signed-in",
    refreshes: ["export"],
    summary: "Подготовить zip со всем, что принадлежит вам в этой организации",
    output: DataExport,
    status: 202,
  }),
  removeAccountExport: endpoint("DELETE /api/account/export", {
    access: "signed-in",
    refreshes: ["export"],
    summary: "Отменить свою выгрузку или удалить готовую",
  }),
  accountExportFile: endpoint("GET /api/account/export/file", {
    access: "signed-in",
    summary: "Скачать свою готовую выгрузку (application/zip)",
    status: 200,
  }),
  organizationExport: endpoint("GET /api/organizations/:orgId/export", {
    access: "org_admin",
    tags: ["organization", "export"],
    summary: "Состояние выгрузки организации, которую просили вы; null, если её не просили",
    params: OrganizationParams,
    output: MaybeExport,
  }),
  requestOrganizationExport: endpoint("POST /api/organizations/:orgId/export", {
    access: "org_admin",
    refreshes: ["export"],
    summary: "Подготовить zip со всеми данными организации, кроме личной переписки участников",
    params: OrganizationParams,
    output: DataExport,
    status: 202,
  }),
  removeOrganizationExport: endpoint("DELETE /api/organizations/:orgId/export", {
    access: "org_admin",
    refreshes: ["export"],
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
    refreshes: "session",
    summary: "Удалить свой аккаунт со всем, что ему принадлежит",
    input: DeletionInput,
    output: DestructionRecord,
  }),
  organizationDeletion: endpoint("GET /api/organizations/:orgId/deletion", {
    access: "org_admin",
    tags: ["organization"],
    summary: "Что удалится вместе с организацией",
    params: OrganizationParams,
    output: OrganizationDeletion,
  }),
  deleteOrganization: endpoint("POST /api/organizations/:orgId/deletion", {
    access: "org_admin",
    refreshes: "session",
    summary: "Удалить организацию целиком",
    params: OrganizationParams,
    input: DeletionInput,
    output: DestructionRecord,
  }),
};
