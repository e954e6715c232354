/**
 * Refuses new passwords that attackers try first and those that an acquaintance would guess (NIST SP 800-63B, 3.1.1.2). Any composition is
 * allowed. All checks are linear in the password's length.
 */
import { invalid } from "#server/platform/errors.ts";

interface PasswordOwner {
  email?: string | null | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

const COMMON = "Этот пароль подберут одним из первых. Придумайте другой, например несколько слов подряд";
const OWN = "Пароль не должен повторять ваш email, имя или название платформы";

/** @throws Problem 400 with the sentence for the form's field named `field` */
export async function requireGoodPassword(password: string, owner: PasswordOwner, field = "password"): Promise<void> {
  const said = repeatsOwner(password, owner) ? OWN : isPlain(password) || (await isCommon(password)) ? COMMON : null;
  if (said !== null) throw invalid("weak_password", said, { fields: { [field]: said } });
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll("ё", "е");

// ── What attackers try first ───────────────────────────────────────────────────────────────────────────────────────

/** The library's list covers English, and Russian typed in the Latin layout («gfhjkm»); this one adds Cyrillic and transliterated words. */
const MORE = `
  йцукен йцукенг йцукенгш фывапролдж ячсмить пароль привет любовь солнышко наташа марина россия москва спартак зенит цска локомотив
  котенок зайка малыш красотка принцесса звезда счастье люблютебя ятебялюблю тебялюблю здравствуй администратор админ доступ
  parol parolparol privet lyubov lubov solnyshko solnishko natasha rossiya moskva spartak lokomotiv kotenok zayka malysh krasotka
  schastye lyublyutebya yatebyalyublyu zdravstvuy administrator admin qwerty qwertz azerty welcome letmein dostup
`;

const LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const CYRILLIC = "ёйцукенгшщзхъфывапролджэячсмитьбю";
const onLatinKeys = new Map([...CYRILLIC].map((letter, place) => [letter, LATIN[place]!]));
const toLatinKeys = (text: string): string => [...text].map((letter) => onLatinKeys.get(letter) ?? letter).join("");

const LOOKALIKES: Record<string, string> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
  "!": "i",
};
const readable = (text: string, one: string): string =>
  [...text].map((letter) => (letter === "1" ? one : (LOOKALIKES[letter] ?? letter))).join("");

/** Maximum number of characters trimmed on each side of a word; at least `MIN_CORE_CHARS` must remain. */
const MAX_TRIMMED = 6;
const MIN_CORE_CHARS = 4;

/** Strips digits and punctuation around the password: «!Marina1987» becomes «marina». */
function core(text: string): string {
  const letters = [...text];
  const plain = (letter: string | undefined) => letter !== undefined && !/\p{L}/u.test(letter);
  let [start, end] = [0, letters.length];
  while (start < MAX_TRIMMED && plain(letters[start])) start++;
  while (letters.length - end < MAX_TRIMMED && end > start && plain(letters[end - 1])) end--;
  const left = letters.slice(start, end);
  return left.length >= MIN_CORE_CHARS ? left.join("") : text;
}

let common: Promise<ReadonlySet<string>> | undefined;

/** 49,000 leaked passwords (zxcvbn-ts, MIT licence), loaded at first use. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const more = MORE.trim().split(/\s+/);
  return new Set([...dictionary["passwords-common"], ...more, ...more.map(toLatinKeys)].map(String));
}

async function isCommon(password: string): Promise<boolean> {
  common ??= commonPasswords();
  const list = await common;
  const whole = folded(password);
  const forms = [whole, whole.replace(/[\s._-]/g, "")].flatMap((form) => [form, core(form), unitOf(form)]);
  return forms
    .flatMap((form) => [form, readable(form, "i"), readable(form, "l")])
    .flatMap((form) => [form, core(form), toLatinKeys(form)])
    .some((form) => list.has(form));
}

const LONGEST_UNIT = 12;

/** Returns the repeated unit («parol» for «parolparol»); the whole text when nothing repeats. */
function unitOf(text: string): string {
  for (let length = 1; length <= Math.min(LONGEST_UNIT, text.length / 2); length++) {
    if (text.length % length !== 0) continue;
    const unit = text.slice(0, length);
    if (unit.repeat(text.length / length) === text) return unit;
  }
  return text;
}

const ROWS = ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"];
const KEYBOARD = [ROWS.join(""), ROWS.slice(1).join("")].flatMap((keys) => [keys, [...keys].reverse().join("")]);

/** Whether the password is a few repeated characters, the alphabet or a walk along the keyboard in either layout. */
function isPlain(password: string): boolean {
  const text = folded(password);
  const keys = toLatinKeys(text);
  if (new Set(text).size <= 2 || unitOf(text).length <= 3) return true;
  if (KEYBOARD.some((walk) => walk.includes(keys))) return true;
  const codes = [...text].map((letter) => letter.codePointAt(0)!);
  return new Set(codes.slice(1).map((code, place) => code - codes[place]!)).size === 1;
}

// ── What anybody would guess ───────────────────────────────────────────────────────────────────────────────────────

const PRODUCT = [
  "цифровые двойники",
  "цифровойдвойник",
  "цифровые",
  "двойники",
  "двойник",
  "digital-twins",
  "digitaltwin",
];
/** Names with fewer letters are not looked for, because they occur within too many words. */
const MIN_NAME_LETTERS = 3;
/** Minimum number of characters that remain after the owner's own words are removed. */
const MIN_CHARS_LEFT = 6;

function repeatsOwner(password: string, { email, firstName = "", lastName = "" }: PasswordOwner): boolean {
  const squashed = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, "");
  const [mailbox = "", domain = ""] = (email ?? "").split("@");
  const words = [
    email ?? "",
    mailbox,
    domain,
    firstName,
    lastName,
    ...mailbox.split(/[._+-]/),
    domain.split(".")[0] ?? "",
    ...PRODUCT,
  ]
    .map(squashed)
    .filter(({ length }) => length >= MIN_NAME_LETTERS)
    .sort((a, b) => b.length - a.length);
  const whole = squashed(password);
  const left = words.reduce((rest, word) => rest.replaceAll(word, ""), whole);
  return left !== whole && left.length < MIN_CHARS_LEFT;
}
