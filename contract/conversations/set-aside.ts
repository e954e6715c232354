/** Messages that an integration could not read or answer. They are set aside so that they do not block others, and the owner decides. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const SetAside = z.object({
  id: z.string(),
  /** Kind and sender as far as known, such as «Письмо от anna@example.ru». */
  title: z.string(),
  reason: z.string(),
  /** Whether a retry that the owner has requested is still pending. */
  waits: z.boolean(),
  /** Whether the message can be read again. false when the platform delivers it only once and it was not stored. */
  canRetry: z.boolean(),
  createdAt: z.string(),
});
export type SetAside = z.infer<typeof SetAside>;

const Item = z.extend(IdParams, {
  /** `SetAside.id`: a UUID or a number. */
  itemId: z
    .string()
    .check(z.regex(/^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{1,15})$/i, "Неверный идентификатор")),
});

export const setAsideApi = {
  list: endpoint("GET /api/integrations/:id/set-aside", {
    access: "signed-in",
    tags: ["integrations", "set-aside"],
    summary: "Что подключение отложило: не смогло прочитать или не смогло ответить",
    params: IdParams,
    output: z.array(SetAside),
  }),
  retry: endpoint("POST /api/integrations/:id/set-aside/:itemId/retry", {
    access: "editor",
    refreshes: ["set-aside", "integrations", "activity"],
    summary: "Попробовать отложенное ещё раз",
    params: Item,
  }),
  discard: endpoint("DELETE /api/integrations/:id/set-aside/:itemId", {
    access: "editor",
    refreshes: ["set-aside", "integrations", "activity"],
    summary: "Убрать отложенное: больше о нём не напоминать",
    params: Item,
  }),
};
