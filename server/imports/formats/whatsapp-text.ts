// What the text of a WhatsApp message is: the author's words, a placeholder of a file, or the messenger's report.
import type { ImportedKind } from "./message.ts";

const MARK = "\\u200e?";
const EDITED = new RegExp(` ?${MARK}<(?:Сообщение изменено|Это сообщение изменено|This message was edited)\\.?>$`);
const ATTACHED = new RegExp(` ?${MARK}<(?:прикреплено|attached): [^<>\\n]+>$`, "i");
const ATTACHED_ANDROID = new RegExp(`^${MARK}[^\\n]+\\.\\w{1,5} \\((?:файл добавлен|file attached)\\)(?:\\n|$)`, "i");
const OMITTED =
  /^\u200e?<?(?:без медиафайлов|медиафайлы? (?:пропущен|исключен|не включен)[аоы]?|media omitted|(?:изображение|фото|видео|аудио|аудиофайл|голосовое сообщение|стикер|gif|документ|карточка контакта|видеосообщение) (?:пропущен|опущен|отсутствует)[аоы]?|(?:image|video|audio|sticker|gif|document|contact card|video note) omitted)\.?>?$/i;
/** «отчёт.pdf • 2 страницы» before the placeholder is the file's name, not a caption. */
const FILE_CAPTION = /^[^\n]+\.\w{1,5}(?: • \u200e?[^\n]*)?$/;
const DOCUMENT_OMITTED = / • \u200e?\d[^\n]*\u200e(?:документ пропущен|document omitted)$/i;
const PLACE = /^\u200e?(?:местоположение|location): https:\/\/(?:maps\.google\.com|goo\.gl|foursquare\.com)\/\S+$/i;
const DELETED =
  /^\u200e?(?:(?:данное|это) сообщение удалено|вы удалили (?:данное|это) сообщение|сообщение удалено(?: администратором [^\n]*)?|this message was deleted|you deleted this message)\.?$/i;

/** `text` comes back without the placeholders; a caption stays. */
export function judgeText(text: string): { kind: ImportedKind; text: string } {
  const own = text.replace(EDITED, "");
  if (OMITTED.test(own) || DOCUMENT_OMITTED.test(own) || PLACE.test(own)) return { kind: "media", text: "" };
  if (DELETED.test(own)) return { kind: "service", text: "" };
  const withoutFile = ATTACHED_ANDROID.test(own) ? own.replace(ATTACHED_ANDROID, "") : own.replace(ATTACHED, "");
  if (withoutFile !== own) {
    const caption = FILE_CAPTION.test(withoutFile) && !ATTACHED_ANDROID.test(own) ? "" : withoutFile;
    return caption.trim() === "" ? { kind: "media", text: "" } : { kind: "text", text: caption };
  }
  // The mark at the start: WhatsApp's own words (calls, security, polls), in whatever language.
  if (own.startsWith("\u200e")) return { kind: "service", text: own.slice(1) };
  return own.trim() === "" ? { kind: "media", text: "" } : { kind: "text", text: own };
}
