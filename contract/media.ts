/** A recording or a picture that a contact has sent or that is a document, beside what it says. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { MEDIA_KINDS } from "./media-kinds.ts";

export const MessageMedia = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_KINDS),
  /** «Голосовое сообщение» */
  name: z.string(),
  /** `waiting`: it is being fetched and read; `failed`: it will not be read, and `note` says why. */
  state: z.enum(["waiting", "done", "failed"]),
  /** Whether the original can be played or looked at. */
  hasOriginal: z.boolean(),
  seconds: z.nullable(z.number()),
  /** What it says; "" where nothing was heard or read. */
  text: z.string(),
  /** 0 to 1; null: it was not read. */
  confidence: z.nullable(z.number()),
  /** Whether the twin answers to it as to something written. */
  sure: z.boolean(),
  note: z.nullable(z.string()),
});
export type MessageMedia = z.infer<typeof MessageMedia>;

export const mediaApi = {
  original: endpoint("GET /api/media/:id", {
    access: "signed-in",
    summary: "Запись или картинка собеседника или документа (целиком или часть, по заголовку Range)",
    status: 200,
    params: z.object({ id: z.uuid("Неверный идентификатор") }),
  }),
};
