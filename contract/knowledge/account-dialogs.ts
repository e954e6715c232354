/** The twin's owner chooses which dialogs of a connected account are imported. Groups are not imported unless chosen. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";

export const MAX_DIALOGS = 1000;

/** Dialog ids in the format of export files: «user1», «chat2», «channel3». */
export const ChosenDialogs = z
  .array(
    z.string("Неверный диалог").check(z.regex(/^(?:user|chat|channel)[1-9]\d{0,15}$/, "Неверный диалог")),
    "Ожидался список диалогов",
  )
  .check(
    z.minLength(1, "Выберите хотя бы один диалог"),
    z.maxLength(MAX_DIALOGS, "Не больше 1000 диалогов за один импорт"),
  );

export const AccountDialog = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["private", "group"]),
  lastMessage: z.nullable(z.string()),
});
export type AccountDialog = z.infer<typeof AccountDialog>;

export const AccountDialogs = z.object({
  /** At most `MAX_DIALOGS` dialogs, those with the latest messages first. */
  dialogs: z.array(AccountDialog),
  /** Ids that were chosen for the latest import; empty when it took the latest dialogs without a choice. */
  chosen: z.array(z.string()),
});
export type AccountDialogs = z.infer<typeof AccountDialogs>;

export const accountDialogsApi = {
  list: endpoint("GET /api/integrations/telegram/:id/dialogs", {
    access: "editor",
    summary: "Диалоги Telegram-аккаунта, из которых владелец двойника выбирает, что импортировать",
    params: z.object({ id: z.uuid("Integration ID не предоставлен") }),
    output: AccountDialogs,
  }),
};
