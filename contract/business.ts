/** Telegram Business: accounts whose chats a bot may answer in their owner's name. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const BusinessConnection = z.object({
  id: z.string(),
  /** Whose account it is. */
  name: z.string(),
  /** Given in Telegram. */
  canReply: z.boolean(),
  enabled: z.boolean(),
  /** Given here: before, nothing of its chats is read. */
  accepted: z.boolean(),
});
export type BusinessConnection = z.infer<typeof BusinessConnection>;

const NOT_FOUND = "Подключение не найдено";

export const businessApi = {
  list: endpoint("GET /api/integrations/:id/business", {
    access: "signed-in",
    summary: "Аккаунты Telegram Business, которые дают боту свои чаты",
    params: IdParams,
    output: z.array(BusinessConnection),
  }),
  accept: endpoint("PUT /api/integrations/:id/business/:connectionId", {
    access: "editor",
    summary: "Разрешить или запретить отвечать от имени аккаунта",
    params: z.extend(IdParams, { connectionId: z.uuid(NOT_FOUND) }),
    input: z.object({ accepted: z.boolean("Ожидалось да или нет") }),
    output: BusinessConnection,
  }),
};
