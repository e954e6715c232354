/** What `bench:reply` teaches and asks: texts that people wrote where the public sets are present, else invented ones. */
import { inventedText, seededRandom, vocabulary } from "./invented-text.ts";
import { hasPublicData, readMessages, readXquad } from "./public-data.ts";

interface Material {
  name: string;
  /** Each of about ten sentences, all different. */
  chunks: string[];
  /** Lines of a chat, 4–12 words each. */
  messages: string[];
  /** Few come twice. */
  questions: string[];
}

interface Amounts {
  chunks: number;
  messages: number;
  questions: number;
}

export function materialOf(amounts: Amounts): Material {
  return process.env.BENCH_TEXT === "invented" || !hasPublicData()
    ? inventedMaterial(amounts)
    : publicMaterial(amounts);
}

/** XQuAD's paragraphs and questions; plays for the rest of the chunks, the messages, and every third question. */
function publicMaterial({ chunks, messages, questions }: Amounts): Material {
  const paragraphs = [...readXquad("ru"), ...readXquad("en")];
  const lines = readMessages(messages + questions + chunks * LINES_OF_CHUNK);
  const scenes = lines.slice(messages + questions);
  const asked = paragraphs.flatMap((paragraph) => paragraph.questions.map(({ text }) => text));
  const said = lines.slice(messages, messages + questions);
  return {
    name: "XQuAD, RusDraCor",
    chunks: [
      ...paragraphs.map(({ text }) => text),
      ...Array.from({ length: chunks }, (_, n) =>
        scenes.slice(n * LINES_OF_CHUNK, (n + 1) * LINES_OF_CHUNK).join(". "),
      ),
    ].slice(0, chunks),
    messages: lines.slice(0, messages),
    questions: Array.from({ length: questions }, (_, n) =>
      n % 3 === 2 ? `${said[n]}?` : asked[(n * 7) % asked.length]!,
    ),
  };
}

const LINES_OF_CHUNK = 15;

/** Words of few syllables: every 4-gram is in many texts, which makes ranking several times dearer than with real words. */
function inventedMaterial({ chunks, messages, questions }: Amounts): Material {
  const random = seededRandom(20_261_121);
  const words = vocabulary(20_000, random);
  const sentence = () => {
    const text = inventedText(words, 14, random);
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  };
  return {
    name: "invented",
    chunks: Array.from({ length: chunks }, () => Array.from({ length: 10 }, sentence).join(" ")),
    messages: Array.from({ length: messages }, () => inventedText(words, 4 + Math.floor(random() * 9), random)),
    questions: Array.from({ length: questions }, () => `${inventedText(words, 5 + Math.floor(random() * 4), random)}?`),
  };
}
