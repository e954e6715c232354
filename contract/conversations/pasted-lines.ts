// Decides who wrote each line of a pasted conversation. The preview in the browser and the server use this same rule.

export interface PastedLine {
  role: "user" | "assistant";
  content: string;
}

/** Classifies each line that is not blank: `assistant` (the owner) if it contains «Вы:» or «You:», otherwise `user`. */
export function classifyPastedLines(chatHistory: string): PastedLine[] {
  return chatHistory
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== "")
    .map((content) => ({ role: content.includes("Вы:") || content.includes("You:") ? "assistant" : "user", content }));
}

const MARKS = "[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]{0,20}";
const DATE = "(?<first>\\d{1,4})(?<sign>[./-])(?<second>\\d{1,2})\\k<sign>(?<third>\\d{2,4})";
const TIME =
  "(?<hour>[01]?\\d|2[0-3]):(?<minute>[0-5]\\d)(?::(?<seconds>[0-5]\\d))?(?:\\s?(?<half>[AaPp]\\.?[Mm]\\.?|[ДдПп][Пп]))?";
/** Matches «12.03.2024, 14:05», «12.03.2024 в 14:05:33», «2024-03-12T14:05», «14:05». */
const STAMP = `(?:${DATE}(?:,?\\s+(?:(?:в|at)\\s+)?|T))?${TIME}`;
const BRACKETED = new RegExp(`^${MARKS}\\s{0,20}\\[${STAMP}\\]\\s*(?:[-–—]\\s+)?`);
const BARE = new RegExp(`^${MARKS}\\s{0,20}${STAMP}(?=\\s|$)\\s*(?:[-–—]\\s+)?`);
/** Telegram Desktop copies «Анна, [12.03.2024 14:05]» as a separate line. */
const COPIED = new RegExp(`^${MARKS}(?<name>[^\\[\\]\\n]{1,100}), \\[${STAMP}\\]:?\\s*$`);

/**
 * Returns the line's text without a leading time and without the speaker's label («Анна: …» → «…»). A label is «Вы»,
 * «You» or one of `names`; without `names` also anything that looks like a person's name. Empty for a line that is only a header.
 */
export function speechOf(line: string, names?: readonly string[]): string {
  if (COPIED.test(line)) return "";
  const stamp = BRACKETED.exec(line) ?? BARE.exec(line);
  const said = withoutMarks(line.slice(stamp?.[0].length ?? 0));
  const match = LABEL.exec(said) ?? OWN_LABEL.exec(said);
  if (match && isLabel(match[1]!, names)) return match[2]!.trim();
  // «12:30 у метро» is speech that begins with a time; a timestamp has a date, a dash or brackets.
  const plainTime = stamp && !stamp.groups?.first && !/[\]–—-]/.test(stamp[0]);
  return plainTime && said !== "" ? withoutMarks(line) : said;
}

/** Returns speaker, time and text of a line that begins a message; null for a line that continues the previous message. */
export function headOf(line: string): { name: string; stamp: string | null; speech: string } | null {
  const copied = COPIED.exec(line);
  if (copied) return { name: copied.groups!.name!.trim(), stamp: timestampOf(line), speech: "" };
  const stamp = BRACKETED.exec(line) ?? BARE.exec(line);
  const said = withoutMarks(line.slice(stamp?.[0].length ?? 0));
  const match = LABEL.exec(said) ?? OWN_LABEL.exec(said);
  if (!match || !isLabel(match[1]!, undefined)) return null;
  return { name: match[1]!, stamp: timestampOf(line), speech: match[2]!.trim() };
}

const LABEL = /^~?\s{0,20}([^:\n]{1,100}?)\s{0,20}:(?=\s|$)(.*)$/s;
const OWN_LABEL = /^(Вы|You):(.*)$/s;
const LEADING_MARKS = new RegExp(`^${MARKS}`);

function withoutMarks(text: string): string {
  return text.replace(LEADING_MARKS, "").trim();
}

function isLabel(label: string, names: readonly string[] | undefined): boolean {
  const own = label.toLowerCase();
  if (own === "вы" || own === "you") return true;
  if (names) return names.some((name) => name.trim().toLowerCase() === own);
  if (/^\+?[\d\s()-]{7,20}$/.test(label)) return true;
  const words = label.split(/\s+/);
  return (
    words.length <= 4 &&
    label.length <= 40 &&
    /^\p{Lu}/u.test(label) &&
    words.every((word) => /^[\p{L}\p{M}\p{N}.'’«»()@_-]+$/u.test(word))
  );
}

/**
 * Returns the line's own time as a local «YYYY-MM-DDTHH:mm:ss», because a pasted text has no time zone; null without a time or a date.
 * 3/4/2024 is read as 3 April unless the numbers rule that out.
 */
export function timestampOf(line: string): string | null {
  const groups = (COPIED.exec(line) ?? BRACKETED.exec(line) ?? BARE.exec(line))?.groups;
  if (groups?.first === undefined) return null;
  const numbers = [groups.first, groups.second, groups.third].map(Number) as [number, number, number];
  let [year, month, day] = groups.first.length === 4 ? numbers : [numbers[2], numbers[1], numbers[0]];
  if (month > 12) [month, day] = [day, month];
  if (year < 100) year += 2000;
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate() || year < 1970)
    return null;
  let hour = Number(groups.hour);
  if (groups.half && hour <= 12) hour = (hour % 12) + (/^p|^пп/i.test(groups.half) ? 12 : 0);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hour)}:${groups.minute}:${groups.seconds ?? "00"}`;
}
