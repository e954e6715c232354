/** Leaving for good: deletion of an account and of an organisation, and the record that stays of it. */
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

export const recordsApi = {
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
