/** Which dialogues of a connected account are read: the twin's owner chooses, groups are off until chosen. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** Dialogues of one list and of one import. */
export const MAX_DIALOGS = 1000;

/** Ids as export files have them: «user1», «chat2», «channel3». */
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
  /** When its last message was sent. */
  lastMessage: z.nullable(z.string()),
});
export type AccountDialog = z.infer<typeof AccountDialog>;

export const AccountDialogs = z.object({
  /** Those of the latest messages first; of a larger account the first `MAX_DIALOGS`. */
  dialogs: z.array(AccountDialog),
  /** Ids that were chosen for the latest import; none when it took the latest dialogues by itself. */
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
