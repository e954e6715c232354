/** Discloses that an AI answers: always when asked, and once to every contact who writes for the first time. */
const IS = String.raw`(?:бот|ботом|робот|роботом|чатбот|чат-бот|ии|нейросеть|нейросетью|нейронка|нейронкой|искусственный\s+интеллект|программа|программой|автоответчик|автоответчиком|машина|gpt|чатгпт|chatgpt|человек|человеком|живой|живая|живым|настоящий|настоящая|реальный|реальная|двойник|ассистент)`;
const ASKED = [
  new RegExp(String.raw`(?<!\p{L})(?:ты|вы|это|тут|там|здесь)\s+(?:\p{L}+\s+){0,2}?${IS}(?!\p{L})`, "iu"),
  new RegExp(String.raw`(?<!\p{L})${IS}\s+(?:ли\s+)?(?:ты|вы|это)(?!\p{L})`, "iu"),
  new RegExp(
    String.raw`(?<!\p{L})(?:говорю|общаюсь|разговариваю|переписываюсь|пишу|отвечает|отвечаешь|пишет)\s+(?:\p{L}+\s+){0,2}?${IS}(?!\p{L})`,
    "iu",
  ),
  /(?<!\p{L})с\s+(?:живым\s+|реальным\s+|настоящим\s+)?(?:человеком|ботом|роботом|нейросетью|программой|ии)\s+(?:ли\s+|я\s+|сейчас\s+)*(?:говорю|общаюсь|разговариваю|переписываюсь)(?!\p{L})/iu,
  /(?<!\p{L})(?:кто\s+(?:ты|вы)|(?:ты|вы)\s+кто|кто\s+это|это\s+кто|с\s+кем\s+я)(?!\p{L})/iu,
  /\bwho\s+(?:are\s+you|is\s+this|am\s+i\s+(?:talking|speaking|writing))\b/i,
  /\b(?:are|r)\s+(?:you|u)\s+(?:\w+\s+){0,3}?(?:bot|robot|ai|human|real|person|machine|llm|gpt|chatgpt|program)\b/i,
  /\b(?:am\s+i|is\s+this)\s+(?:\w+\s+){0,4}?(?:bot|robot|ai|human|real\s+person|machine)\b/i,
];

/** Whether a message asks if a person answers. Long messages ask only with a question mark. */
export function asksWhoAnswers(message: string): boolean {
  const short = message.length <= 60;
  if (!short && !message.includes("?")) return false;
  return message
    .split(/(?<=[.!?\n])/)
    .some(
      (sentence) =>
        sentence.length <= 120 && (sentence.includes("?") || short) && ASKED.some((pattern) => pattern.test(sentence)),
    );
}

/** Without a public name the texts name no one. */
interface Named {
  publicName?: string;
}
const quoted = ({ publicName = "" }: Named) =>
  publicName.trim() === "" ? "" : ` «${publicName.trim().replaceAll("«", "„").replaceAll("»", "“")}»`;

export function disclosureAnswer(twin: Named, language: "ru" | "en" = "ru"): string {
  return language === "en"
    ? `This is an AI twin${quoted(twin)}, not a living person: I answer for the owner in their manner and may be wrong.`
    : `Это ИИ-двойник${quoted(twin)}, а не живой человек: отвечаю за владельца в его манере и могу ошибаться.`;
}

/** Precedes the first message to a contact. */
export function disclosureNotice(twin: Named): string {
  return `Отвечает ИИ-помощник: цифровой двойник${quoted(twin)}.`;
}
