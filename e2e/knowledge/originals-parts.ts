// What originals.spec.ts and originals.full.spec.ts share.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MessageMedia } from "#contract/media.ts";
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";

export const PICTURE = readFileSync(join(import.meta.dirname, "../../docs/picture.png"));
export const NAME = "прайс на чехлы.png";

export const original = (own: Partial<MessageMedia> = {}): MessageMedia => ({
  ...{ id: uuid(801), kind: "picture", name: NAME, state: "done", hasOriginal: true, seconds: null, text: "" },
  ...{ confidence: 0.42, sure: false, note: null },
  ...own,
});

export const PRICES = "Чехол силиконовый 1200\nЧехол кожаный 2400";

export const document = (status: string, content: string, media: MessageMedia) =>
  buildDocument(1, { name: NAME, type: "product", mime: "image/png", status, content, version: "1", original: media });
