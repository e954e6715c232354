/** A member's own chat with a twin's bot, which sends drafts with buttons to approve or reject them. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const OwnerChat = z.object({
  /** The member's name on the platform; null when no chat is linked. */
  name: z.nullable(z.string()),
  linkedAt: z.nullable(z.string()),
});
export type OwnerChat = z.infer<typeof OwnerChat>;

export const OWNER_LINK_MINUTES = 15;

export const OwnerLink = z.object({
  /** Link that opens the bot. The member who presses «Старт» there receives the drafts. */
  url: z.string(),
  expiresAt: z.string(),
});
export type OwnerLink = z.infer<typeof OwnerLink>;

export const ownerChatApi = {
  get: endpoint("GET /api/integrations/:id/owner-chat", {
    access: "signed-in",
    tags: ["integrations", "owner-chat"],
    summary: "Ваш чат с ботом, куда приходят черновики",
    params: IdParams,
    output: OwnerChat,
  }),
  link: endpoint("POST /api/integrations/:id/owner-chat", {
    access: "editor",
    refreshes: ["owner-chat"],
    summary: `Одноразовая ссылка, которая связывает ваш чат с ботом; действует ${OWNER_LINK_MINUTES} минут`,
    params: IdParams,
    output: OwnerLink,
  }),
  unlink: endpoint("DELETE /api/integrations/:id/owner-chat", {
    access: "editor",
    refreshes: ["owner-chat"],
    summary: "Отвязать ваш чат с ботом",
    params: IdParams,
  }),
};
