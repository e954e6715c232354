/** Answers that wait for their owner, and who speaks in a contact's conversation. */
import * as z from "zod/mini";
import { ReplySource } from "./conversations.ts";
import { endpoint } from "./endpoint.ts";
import { IntegrationPlatform } from "./integrations.ts";
import { IdParams } from "./twins.ts";

export const Approval = z.object({
  id: z.string(),
  conversationId: z.string(),
  twinId: z.string(),
  twinName: z.string(),
  platform: IntegrationPlatform,
  contactName: z.string(),
  /** What the contact wrote. */
  question: z.string(),
  text: z.string(),
  /** draft: waits; unknown: may have been delivered; failed: was not; the others: decided. */
  state: z.enum(["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"]),
  /** A Russian sentence: why it waits, or what went wrong. */
  reason: z.nullable(z.string()),
  /** 0..1 */
  confidence: z.number(),
  sources: z.array(ReplySource),
  createdAt: z.string(),
});
export type Approval = z.infer<typeof Approval>;

export const APPROVALS_LIMIT = 100;

export const ApprovalEdit = z.object({
  text: z
    .string("Введите ответ")
    .check(z.trim(), z.minLength(1, "Введите ответ"), z.maxLength(8000, "Ответ длиннее 8 000 символов")),
});
export type ApprovalEdit = z.infer<typeof ApprovalEdit>;

export const Takeover = z.object({
  conversationId: z.string(),
  /** The twin is silent until then; null: it answers. */
  pausedUntil: z.nullable(z.string()),
});
export type Takeover = z.infer<typeof Takeover>;

export const approvalsApi = {
  list: endpoint("GET /api/approvals", {
    access: "signed-in",
    summary: `Ответы, которые ждут решения или не дошли: старые сверху, до ${APPROVALS_LIMIT}`,
    output: z.array(Approval),
  }),
  edit: endpoint("PUT /api/approvals/:id", {
    access: "editor",
    summary: "Изменить черновик ответа",
    params: IdParams,
    input: ApprovalEdit,
    output: Approval,
  }),
  approve: endpoint("POST /api/approvals/:id/approve", {
    access: "editor",
    summary: "Отправить черновик, или ещё раз то, что не дошло",
    params: IdParams,
    output: Approval,
  }),
  reject: endpoint("POST /api/approvals/:id/reject", {
    access: "editor",
    summary: "Не отправлять",
    params: IdParams,
    output: Approval,
  }),
  pause: endpoint("POST /api/conversations/:id/pause", {
    access: "editor",
    summary: "Вести диалог самому: двойник молчит",
    params: IdParams,
    output: Takeover,
  }),
  resume: endpoint("POST /api/conversations/:id/resume", {
    access: "editor",
    summary: "Вернуть диалог двойнику",
    params: IdParams,
    output: Takeover,
  }),
};
