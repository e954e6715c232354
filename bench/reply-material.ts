/** What `bench:reply` teaches and asks: texts that people wrote where the public sets are present, else invented ones. */
import { inventedText, seededRandom, vocabulary } from "./invented-text.ts";
import { hasPublicData, readMessages, readXquad } from "./public-data.ts";

export interface Material {
  name: string;
  /** Each of about ten sentences, all different. */
  passages: string[];
  /** Lines of a chat, 4–12 words each. */
  messages: string[];
  /** Few come twice. */
  questions: string[];
}

interface Amounts {
  passages: number;
  messages: number;
  questions: number;
}

export function materialOf(amounts: Amounts): Material {
  return process.env.BENCH_TEXT === "invented" || !hasPublicData()
    ? inventedMaterial(amounts)
    : publicMaterial(amounts);
}

/** XQuAD's paragraphs and questions; plays for the rest of the passages, the messages, and every third question. */
function publicMaterial({ passages, messages, questions }: Amounts): Material {
  const paragraphs = [...readXquad("ru"), ...readXquad("en")];
  const lines = readMessages(messages + questions + passages * LINES_OF_PASSAGE);
  const scenes = lines.slice(messages + questions);
  const asked = paragraphs.flatMap((paragraph) => paragraph.questions.map(({ text }) => text));
  const said = lines.slice(messages, messages + questions);
  return {
    name: "XQuAD, RusDraCor",
    passages: [
      ...paragraphs.map(({ text }) => text),
      ...Array.from({ length: passages }, (_, n) =>
        scenes.slice(n * LINES_OF_PASSAGE, (n + 1) * LINES_OF_PASSAGE).join(". "),
      ),
    ].slice(0, passages),
    messages: lines.slice(0, messages),
    questions: Array.from({ length: questions }, (_, n) =>
      n % 3 === 2 ? `${said[n]}?` : asked[(n * 7) % asked.length]!,
    ),
  };
}

const LINES_OF_PASSAGE = 15;

/** Words of few syllables: every 4-gram is in many texts, which makes ranking several times dearer than with real words. */
function inventedMaterial({ passages, messages, questions }: Amounts): Material {
  const random = seededRandom(20_261_121);
  const words = vocabulary(20_000, random);
  const sentence = () => {
    const text = inventedText(words, 14, random);
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  };
  return {
    name: "invented",
    passages: Array.from({ length: passages }, () => Array.from({ length: 10 }, sentence).join(" ")),
    messages: Array.from({ length: messages }, () => inventedText(words, 4 + Math.floor(random() * 9), random)),
    questions: Array.from({ length: questions }, () => `${inventedText(words, 5 + Math.floor(random() * 4), random)}?`),
  };
}
