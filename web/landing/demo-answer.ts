import type { DemoScript, DemoTopic } from "./demo-scripts.ts";

export interface DemoAnswer {
  text: string;
  topic?: DemoTopic;
  known: boolean;
}

const SMALL_TALK: readonly { stems: readonly string[]; text: (script: DemoScript) => string }[] = [
  { stems: ["привет", "здравств", "добр"], text: ({ greeting }) => greeting },
  {
    stems: ["бот", "робот", "ии", "нейросет", "человек", "живой", "настоящ"],
    text: ({ role }) => `Я\u00a0ИИ: ${role}. В\u00a0этом примере мои ответы написаны заранее.`,
  },
  { stems: ["спасибо", "благодар"], text: () => "Пожалуйста! Спрашивайте ещё." },
];

/** The scripted answer to `message`: from the topic whose stems match most words, otherwise small talk, otherwise «не знаю». */
export function answerOf(script: DemoScript, message: string): DemoAnswer {
  const words =
    message
      .toLowerCase()
      .replaceAll("ё", "е")
      .match(/\p{L}+/gu) ?? [];
  const hits = (stems: readonly string[]) =>
    words.filter((word) => stems.some((stem) => (stem.length < 4 ? word === stem : word.startsWith(stem)))).length;

  let best: DemoTopic | undefined;
  let most = 0;
  for (const topic of script.topics) {
    // A picked or verbatim question matches its own topic, whatever words it shares with others.
    const found = topic.question === message ? Number.POSITIVE_INFINITY : hits(topic.stems);
    if (found > most) {
      best = topic;
      most = found;
    }
  }
  if (best) return { text: best.answer, topic: best, known: true };
  const smallTalk = SMALL_TALK.find(({ stems }) => hits(stems) > 0);
  return smallTalk ? { text: smallTalk.text(script), known: true } : { text: script.unknown, known: false };
}
