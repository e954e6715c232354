/** What an integration could not read or answer: it is set aside, so that nothing waits behind it, and the owner decides. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const SetAside = z.object({
  id: z.string(),
  /** What it is and whom it is from, as far as that is known: «Письмо от anna@example.ru». */
  title: z.string(),
  /** A Russian sentence. */
  reason: z.string(),
  /** The owner has asked for it to be read again, and it has not been yet. */
  waits: z.boolean(),
  /** false: the platform gives it only once, and it was not kept. */
  canRetry: z.boolean(),
  createdAt: z.string(),
});
export type SetAside = z.infer<typeof SetAside>;

const Item = z.extend(IdParams, {
  /** Of a `SetAside`: a uuid or a number. */
  itemId: z
    .string()
    .check(z.regex(/^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{1,15})$/i, "Неверный идентификатор")),
});

export const setAsideApi = {
  list: endpoint("GET /api/integrations/:id/set-aside", {
    access: "signed-in",
    summary: "Что подключение отложило: не смогло прочитать или не смогло ответить",
    params: IdParams,
    output: z.array(SetAside),
  }),
  retry: endpoint("POST /api/integrations/:id/set-aside/:itemId/retry", {
    access: "editor",
    summary: "Попробовать отложенное ещё раз",
    params: Item,
  }),
  discard: endpoint("DELETE /api/integrations/:id/set-aside/:itemId", {
    access: "editor",
    summary: "Убрать отложенное: больше о нём не напоминать",
    params: Item,
  }),
};
