/** Saved replies («заготовки»): texts of the organisation that a member puts into the reply field and sends himself. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

export const SAVED_REPLIES_LIMIT = 100;
export const SAVED_TITLE_LENGTH = 80;
export const SAVED_TEXT_LENGTH = 4000;

/** Placeholder in a saved reply for the contact's first name. */
export const NAME_PLACE = "{имя}";

export const SavedReply = z.object({ id: z.string(), title: z.string(), text: z.string() });
export type SavedReply = z.infer<typeof SavedReply>;

const TITLE_REQUIRED = "Введите название";
const TEXT_REQUIRED = "Введите текст";
export const SavedReplyInput = z.object({
  title: z
    .string(TITLE_REQUIRED)
    .check(
      z.trim(),
      z.minLength(1, TITLE_REQUIRED),
      z.maxLength(SAVED_TITLE_LENGTH, `Название длиннее ${SAVED_TITLE_LENGTH} символов`),
    ),
  text: z
    .string(TEXT_REQUIRED)
    .check(z.trim(), z.minLength(1, TEXT_REQUIRED), z.maxLength(SAVED_TEXT_LENGTH, "Текст длиннее 4 000 символов")),
});
export type SavedReplyInput = z.infer<typeof SavedReplyInput>;

export const savedRepliesApi = {
  list: endpoint("GET /api/saved-replies", {
    access: "signed-in",
    tags: ["saved-replies"],
    summary: "Заготовки ответов организации, по названию",
    output: z.array(SavedReply),
  }),
  create: endpoint("POST /api/saved-replies", {
    access: "editor",
    refreshes: ["saved-replies"],
    summary: `Новая заготовка; не больше ${SAVED_REPLIES_LIMIT}`,
    status: 201,
    input: SavedReplyInput,
    output: SavedReply,
  }),
  edit: endpoint("PUT /api/saved-replies/:id", {
    access: "editor",
    refreshes: ["saved-replies"],
    summary: "Изменить заготовку",
    params: IdParams,
    input: SavedReplyInput,
    output: SavedReply,
  }),
  remove: endpoint("DELETE /api/saved-replies/:id", {
    access: "editor",
    refreshes: ["saved-replies"],
    summary: "Удалить заготовку",
    params: IdParams,
  }),
};
