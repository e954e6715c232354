/**
 * Removes names, phones, addresses, documents and secrets from data that leaves the server for training. A contact is recognised by any
 * name in any grammatical case and spelling; in doubt too much is removed. Linear in the text.
 */
import { masked, personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { stopWords } from "#server/knowledge/language/words/stop-words.ts";
import { ContactNames } from "#server/knowledge/messages/contact-names.ts";
import { withoutSecrets } from "#server/platform/secrets/secret-patterns.ts";

export class KnownPeople {
  readonly #names: ContactNames;
  readonly #handles: ReadonlySet<string>;

  constructor(names: Iterable<string>, handles: Iterable<string>) {
    // A common word in a contact's name is no name: «Оля из зала».
    this.#names = new ContactNames(
      [...names].map((name) => name.replace(WORD, (word) => (isCommon(word) ? " " : word))),
    );
    this.#handles = new Set([...handles].map((handle) => handle.replace(/^@/, "").toLowerCase()));
  }

  occurIn(word: string): boolean {
    return !isCommon(word) && this.#names.occurIn(word);
  }

  isHandle(word: string): boolean {
    return this.#handles.has(word.toLowerCase());
  }
}

const isCommon = (word: string) => stopWords.has(word.toLowerCase().replaceAll("ё", "е"));

interface RedactedText {
  text: string;
  personal: boolean;
}

const LINK = /(?:https?:\/\/|www\.|t\.me\/)[^\s<>"«»]{1,2000}/giu;
const HANDLE = /(?<![\p{L}\p{N}@.])@[\p{L}\p{N}_.]{2,40}/gu;
const BARE_HANDLE = /(?<![\p{L}\p{N}_.])[A-Za-z0-9_.]{3,40}(?![\p{L}\p{N}_])/gu;
/** Numbers of orders, cards and contracts; short ones only after a word that names them. */
const NUMBER =
  /\d{6,40}|(?<=(?<!\p{L})(?:код|кода|коду|кодом|пин|домофон|домофона|договор|договора|заказ|заказа)[\s:№#-]{1,4})\d{3,5}/giu;
const WORD = /\p{L}{2,40}/gu;
const WORD_OR_MASK = /\[(?:имя|телефон|почта|адрес|номер|ссылка|ник|скрыто)\]|\p{L}{2,40}/gu;

export function redactForTraining(text: string, people: KnownPeople): RedactedText {
  const bare = withoutSecrets(text)
    .replace(LINK, "[ссылка]")
    .replace(HANDLE, (found) => (found.includes("..") ? found : "[ник]"))
    .replace(BARE_HANDLE, (word) => (people.isHandle(word) ? "[ник]" : word));
  const redacted = masked(bare, personalSpans(bare, people))
    .replace(NUMBER, "[номер]")
    .replace(WORD_OR_MASK, (word) => (word[0] !== "[" && people.occurIn(word) ? "[имя]" : word));
  return { text: redacted, personal: redacted !== text };
}

const SECRET_WORD = /(?<!\p{L})(?:парол|логин|пин-?код|пинкод|cvv|cvc|password|кодово|секретн|диагноз|паспорт|снилс)/iu;

/** Whether the text mentions a secret; such an exchange is never used for training. */
export const mentionsSecret = (text: string): boolean => SECRET_WORD.test(text);
