/** Recordings and pictures of messages and documents, with the text that was read from them. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { MEDIA_KINDS } from "./media-kinds.ts";

export const MessageMedia = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_KINDS),
  name: z.string(),
  /** `waiting`: being fetched and read; `failed`: will not be read, for the reason in `note`. */
  state: z.enum(["waiting", "done", "failed"]),
  hasOriginal: z.boolean(),
  seconds: z.nullable(z.number()),
  text: z.string(),
  /** Certainty of the reading, 0..1; null when the file was not read. */
  confidence: z.nullable(z.number()),
  /** Whether the text is certain enough for the twin to answer it like a written message. */
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
