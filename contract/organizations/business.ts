/** Telegram Business accounts whose chats a bot may answer in their owner's name. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const BusinessConnection = z.object({
  id: z.string(),
  name: z.string(),
  canReply: z.boolean(),
  enabled: z.boolean(),
  /** Whether the twin's owner has accepted the connection; until then no messages of these chats are read. */
  accepted: z.boolean(),
});
export type BusinessConnection = z.infer<typeof BusinessConnection>;

const NOT_FOUND = "Подключение не найдено";

export const businessApi = {
  list: endpoint("GET /api/integrations/:id/business", {
    access: "signed-in",
    tags: ["integrations", "business"],
    summary: "Аккаунты Telegram Business, которые дают боту свои чаты",
    params: IdParams,
    output: z.array(BusinessConnection),
  }),
  accept: endpoint("PUT /api/integrations/:id/business/:connectionId", {
    access: "editor",
    refreshes: ["business"],
    summary: "Разрешить или запретить отвечать от имени аккаунта",
    params: z.extend(IdParams, { connectionId: z.uuid(NOT_FOUND) }),
    input: z.object({ accepted: z.boolean("Ожидалось да или нет") }),
    output: BusinessConnection,
  }),
};
