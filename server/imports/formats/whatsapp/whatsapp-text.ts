// Classifies the text of a WhatsApp message: the author's words, a file's placeholder, or a system message.
import type { ImportedKind } from "../message.ts";

const MARK = "\\u200e?";
const anyOf = (...phrases: string[]) => `(?:${phrases.join("|")})`;

// The languages are Russian, English, German, Spanish, French, Italian, Portuguese, Turkish, Ukrainian, Polish, Dutch, Kazakh.
const EDITED = new RegExp(
  ` ?${MARK}<${anyOf(
    "Сообщение изменено",
    "Это сообщение изменено",
    "This message was edited",
    "Diese Nachricht wurde bearbeitet",
    "Se editó este mensaje\\.?",
    "Ce message a été modifié",
    "Questo messaggio è stato modificato",
    "(?:Esta mensagem foi editada|Mensagem editada)",
    "Bu mesaj düzenlendi",
    "(?:Це|Цe) повідомлення (?:було )?(?:відредаговано|змінено)",
    "(?:Ta wiadomość została )?edytowan[ao]",
    "Dit bericht is bewerkt",
    "Бұл хабар өзгертілді",
  )}\\.?>$`,
  "i",
);
const ATTACHED_WORD = anyOf(
  "прикреплено",
  "attached",
  "Anhang",
  "adjunto",
  "pièce jointe",
  "allegato",
  "anexado",
  "eklendi",
  "прикріплено",
  "(?:вкладення|долучено)",
  "załączono",
  "bijgevoegd",
  "тіркелген",
);
const ATTACHED = new RegExp(` ?${MARK}<${ATTACHED_WORD}\\s?: ([^<>\\n]+)>$`, "i");
const ATTACHED_NOTE = anyOf(
  "файл добавлен",
  "file attached",
  "Datei angehängt",
  "archivo adjunto",
  "fichier joint",
  "file allegato",
  "arquivo anexado",
  "ficheiro anexado",
  "dosya ekli",
  "файл додано",
  "файл долучено",
  "plik dołączony",
  "bestand bijgevoegd",
  "файл тіркелген",
);
const ATTACHED_ANDROID = new RegExp(`^${MARK}([^\\n]+\\.\\w{1,5}) \\(${ATTACHED_NOTE}\\)(?:\\n|$)`, "i");
const OMITTED = new RegExp(
  `^${MARK}<?${anyOf(
    "без медиафайлов",
    "медиафайлы? (?:пропущен|исключен|не включен)[аоы]?",
    "media omitted",
    "(?:изображение|фото|видео|аудио|аудиофайл|голосовое сообщение|стикер|gif|документ|карточка контакта|видеосообщение) (?:пропущен|опущен|отсутствует)[аоы]?",
    "(?:image|video|audio|sticker|gif|document|contact card|video note) omitted",
    "(?:medien|mediendatei(?:en)?) (?:ausgeschlossen|weggelassen)",
    "(?:bild|video|audio|sticker|gif|dokument|kontaktkarte|videonachricht) weggelassen",
    "(?:multimedia|archivo) omitid[oa]",
    "(?:imagen|vídeo|video|audio|sticker|gif|documento|tarjeta de contacto|nota de vídeo) omitid[oa]",
    "médias? omis",
    "(?:image|vidéo|audio|sticker|gif|document|fiche contact|note vidéo) (?:absente?|omise?)",
    "media omessi",
    "(?:immagine|video|audio|sticker|gif|documento|scheda contatto|nota video) omess[oa]",
    "(?:arquivo de )?mídia ocult[ao]",
    "(?:multimédia|ficheiro multimédia) (?:omitid[oa]|ocultad[oa])",
    "(?:imagem|vídeo|áudio|figurinha|gif|documento|cartão do contato|mensagem de vídeo) (?:ocultad[oa]|omitid[oa])",
    "medya dahil edilmedi",
    "(?:görüntü|video|ses|çıkartma|gif|belge|kişi kartı|görüntülü not) dahil edilmedi",
    "(?:без медіафайлів|медіа(?:файли)? (?:пропущено|виключено|не включено))",
    "(?:зображення|відео|аудіо|стікер|gif|документ|картка контакту) (?:пропущено|вилучено)",
    "pominięto (?:multimedia|media|obraz|film|dźwięk|naklejkę|gif|dokument)",
    "media weggelaten",
    "(?:afbeelding|video|audio|sticker|gif|document|contactkaart) weggelaten",
    "медиа(?:файлдар)? (?:өткізіп жіберілді|қамтылмаған|қосылмаған)",
  )}\\.?>?$`,
  "i",
);
/** Text such as «отчёт.pdf • 2 страницы» before the placeholder is the file's name and not a caption. */
const FILE_CAPTION = /^[^\n]+\.\w{1,5}(?: • \u200e?[^\n•]*)?$/;
const DOCUMENT_OMITTED =
  / • \u200e?\d[^\n•]*\u200e(?:документ пропущен|document omitted|Dokument weggelassen|documento omitido|document omis|documento omesso|documento ocultado|belge dahil edilmedi|документ пропущено|pominięto dokument|document weggelaten)$/i;
const PLACE =
  /^\u200e?(?:местоположение|location|standort|ubicación|localisation|position|posizione|localização|konum|місцезнаходження|lokalizacja|locatie): https:\/\/(?:maps\.google\.com|goo\.gl|foursquare\.com)\/\S+$/i;
const DELETED = new RegExp(
  `^${MARK}${anyOf(
    "(?:данное|это) сообщение удалено",
    "вы удалили (?:данное|это) сообщение",
    "сообщение удалено(?: администратором [^\\n]*)?",
    "this message was deleted",
    "you deleted this message",
    "diese nachricht wurde gelöscht",
    "du hast diese nachricht gelöscht",
    "(?:se eliminó este mensaje|este mensaje fue eliminado|eliminaste este mensaje)",
    "(?:ce message a été supprimé|vous avez supprimé ce message)",
    "(?:questo messaggio è stato eliminato|hai eliminato questo messaggio)",
    "(?:esta mensagem foi apagada|mensagem apagada|você apagou esta mensagem|apagou esta mensagem)",
    "(?:bu mesaj silindi|bu mesajı sildiniz)",
    "(?:це повідомлення (?:було )?видалено|ви видалили це повідомлення)",
    "(?:ta wiadomość została usunięta|usunięto tę wiadomość)",
    "(?:dit bericht (?:is|werd) verwijderd|je hebt dit bericht verwijderd|u hebt dit bericht verwijderd)",
    "(?:бұл хабар жойылды|сіз бұл хабарды жойдыңыз)",
  )}\\.?$`,
  "i",
);

/**
 * Android writes «null» for a message seen once, and in angle brackets what it left out: «<View once voice message omitted>». People do not put
 * a whole message into such brackets.
 */
const STAND_IN = /^\u200e?(?:null|<[^<>\n\d ]{2,30}(?: [^<>\n\d ]{1,30}){1,8}>)$/;
/** A poll: a word in capitals, the question, and lines such as «OPTION: Sat (2 votes)», in the phone's language. */
const POLL = /^\u200e?\p{Lu}[\p{Lu} ]{2,30}:\n/u;
const POLL_OPTION = /^\u200e?\p{Lu}[\p{Lu} ]{2,30}: .{1,300} \(\u200e?\d{1,6} [^()]{1,30}\)$/u;

function isPoll(text: string): boolean {
  if (!POLL.test(text)) return false;
  const lines = text.trimEnd().split("\n");
  const words = new Set(
    lines.slice(2).map((line) => (POLL_OPTION.test(line) ? line.slice(0, line.indexOf(":")) : null)),
  );
  return words.size === 1 && !words.has(null);
}

export interface ClassifiedText {
  kind: ImportedKind;
  text: string;
  file?: string;
  /** A person's poll: WhatsApp's text, but not in the name of the chat. */
  isPoll?: true;
}

/** Returns the kind and the text without placeholders; a caption stays. */
export function classifyText(text: string): ClassifiedText {
  const own = text.replace(EDITED, "");
  if (OMITTED.test(own) || DOCUMENT_OMITTED.test(own) || PLACE.test(own)) return { kind: "media", text: "" };
  if (DELETED.test(own)) return { kind: "service", text: "" };
  const withoutFile = ATTACHED_ANDROID.test(own) ? own.replace(ATTACHED_ANDROID, "") : own.replace(ATTACHED, "");
  if (withoutFile !== own) {
    const caption = FILE_CAPTION.test(withoutFile) && !ATTACHED_ANDROID.test(own) ? "" : withoutFile;
    const file = (ATTACHED_ANDROID.exec(own) ?? ATTACHED.exec(own))![1]!;
    return caption.trim() === "" ? { kind: "media", text: "", file } : { kind: "text", text: caption, file };
  }
  if (STAND_IN.test(own)) return { kind: "media", text: "" };
  if (isPoll(own)) return { kind: "service", text: own.replaceAll("\u200e", "").trim(), isPoll: true };
  // This mark begins WhatsApp's own texts (calls, security) in every language.
  if (own.startsWith("\u200e")) return { kind: "service", text: own.slice(1) };
  return own.trim() === "" ? { kind: "media", text: "" } : { kind: "text", text: own };
}
