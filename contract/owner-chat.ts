/** A member's own chat with a bot of a twin: drafts come there with buttons to decide. Each member has his own. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const OwnerChat = z.object({
  /** As the member is called there; null: no chat is linked. */
  name: z.nullable(z.string()),
  linkedAt: z.nullable(z.string()),
});
export type OwnerChat = z.infer<typeof OwnerChat>;

/** How long a link waits to be opened, minutes. */
export const OWNER_LINK_MINUTES = 15;

export const OwnerLink = z.object({
  /** Opens the bot; whoever presses «Старт» there has the drafts. */
  url: z.string(),
  expiresAt: z.string(),
});
export type OwnerLink = z.infer<typeof OwnerLink>;

export const ownerChatApi = {
  get: endpoint("GET /api/integrations/:id/owner-chat", {
    access: "signed-in",
    summary: "Ваш чат с ботом, куда приходят черновики",
    params: IdParams,
    output: OwnerChat,
  }),
  link: endpoint("POST /api/integrations/:id/owner-chat", {
    access: "editor",
    summary: `Одноразовая ссылка, которая связывает ваш чат с ботом; действует ${OWNER_LINK_MINUTES} минут`,
    params: IdParams,
    output: OwnerLink,
  }),
  unlink: endpoint("DELETE /api/integrations/:id/owner-chat", {
    access: "editor",
    summary: "Отвязать ваш чат с ботом",
    params: IdParams,
  }),
};
