import type { StyleProfile } from "#contract/quality.ts";
import { pluralForm } from "#server/platform/text/plural.ts";

/**
 * Describes the profile in Russian sentences for the owner («Вы пишете коротко: …»); the model's prompt uses them too. They contain no
 * examples, which may be private.
 */
export function describeStyle(profile: StyleProfile): string {
  if (profile.messages === 0) return "О манере письма пока ничего не известно: нет ни одного сообщения владельца.";
  const sentences = [
    length(profile),
    turns(profile),
    starts(profile),
    ends(profile),
    asks(profile),
    feelings(profile),
    address(profile),
    edges(profile),
    words(profile),
    spelling(profile),
    typos(profile),
    delay(profile),
  ].filter((sentence) => sentence !== null);
  if (profile.messages < 30) sentences.push("Сообщений пока мало, и описание может быть неточным.");
  return sentences.join(" ");
}

type Part = (profile: StyleProfile) => string | null;

const length: Part = ({ length: { p25, median, p75 } }) => {
  const targetStyle = median <= 40 ? "коротко" : median <= 120 ? "сообщениями средней длины" : "подробно";
  const range = p25 === p75 ? "" : `, обычно от ${p25} до ${p75}`;
  return `Вы пишете ${targetStyle}: половина сообщений не длиннее ${median} ${pluralForm(median, ["знака", "знаков", "знаков"])}${range}.`;
};

const turns: Part = ({ turn }) => {
  if (turn.several < 0.15) return "Почти всегда отвечаете одним сообщением.";
  const { p25, p75 } = turn.characters;
  const whole = p75 > p25 ? ` Весь ответ вместе обычно от ${p25} до ${p75} знаков.` : "";
  if (turn.several < 0.5)
    return `Обычно отвечаете одним сообщением, реже делите мысль на несколько подряд (${percent(turn.several)} ответов).${whole}`;
  return `Мысль часто делите на несколько сообщений подряд (${percent(turn.several)} ответов).${whole}`;
};

const asks: Part = ({ question: { share } }) => (share < 0.03 ? null : `Вопрос задаёте в ${percent(share)} сообщений.`);

const starts: Part = ({ lowerCaseStart: { share } }) => {
  if (share >= 0.8) return "Начинаете со строчной буквы.";
  if (share <= 0.1) return "Начинаете с заглавной буквы.";
  return `Со строчной буквы начинаете ${percent(share)} сообщений.`;
};

const ends: Part = ({ finalFullStop: { share } }) => {
  if (share <= 0.1) return "Точку в конце не ставите.";
  if (share >= 0.8) return "Точку в конце ставите.";
  return `Точку в конце ставите в ${percent(share)} случаев.`;
};

const feelings: Part = ({ brackets, emoji, exclamation, ellipsis }) => {
  const parts: string[] = [];
  if (brackets.share >= 0.02)
    parts.push(`скобки и смайлы ${quoted(brackets.top, 3)} (${percent(brackets.share)} сообщений)`);
  if (emoji.share >= 0.02) {
    parts.push(
      `эмодзи ${emoji.top
        .slice(0, 5)
        .map((one) => one.text)
        .join(" ")} (${percent(emoji.share)})`,
    );
  }
  if (exclamation.share >= 0.05) parts.push(`восклицательный знак (${percent(exclamation.share)})`);
  if (ellipsis.share >= 0.05) parts.push(`многоточие (${percent(ellipsis.share)})`);
  if (parts.length === 0) return "Смайлов, эмодзи и восклицаний почти нет.";
  return `Чувства передают ${parts.join(", ")}.`;
};

const address: Part = ({ address: { prefers, familiar } }) => {
  if (prefers === null || familiar === null) return null;
  if (prefers === "mixed") return `С одними вы на «ты» (${percent(familiar)}), с другими на «вы».`;
  return `Обращаетесь почти всегда на «${prefers}».`;
};

const edges: Part = ({ greetings, farewells }) => {
  const parts: string[] = [];
  if (greetings.top.length > 0) {
    const often =
      greetings.share < 0.15
        ? "Здороваетесь редко"
        : greetings.share > 0.6
          ? "Почти всегда здороваетесь"
          : "Здороваетесь не всегда";
    parts.push(`${often}: ${quoted(greetings.top, 3)}.`);
  }
  if (farewells.top.length > 0) parts.push(`Прощаетесь так: ${quoted(farewells.top, 3)}.`);
  return parts.length === 0 ? null : parts.join(" ");
};

const words: Part = ({ fillers, openers, colloquial, phrases, messages }) => {
  const parts: string[] = [];
  const often = (top: readonly { text: string; count: number }[]) =>
    top.filter((one) => one.count >= Math.max(2, messages * 0.003));
  const list = (name: string, top: readonly { text: string; count: number }[], limit: number) => {
    const kept = often(top);
    if (kept.length > 0) parts.push(`${name}: ${quoted(kept, limit)}.`);
  };
  list("Любимые слова", fillers.top, 5);
  list("Часто начинаете словами", openers.top, 6);
  list("Разговорные написания", colloquial.top, 5);
  list("Соглашаетесь словами", phrases.agreement, 3);
  list("Когда не знаете, пишете", phrases.unsure, 2);
  return parts.length === 0 ? null : parts.join(" ");
};

const spelling: Part = ({ typography: { yo, longDash, guillemets }, latin }) => {
  const parts: string[] = [];
  if (yo !== null) parts.push(yo >= 0.5 ? "букву «ё» пишете" : "вместо «ё» пишете «е»");
  if (longDash !== null) parts.push(longDash >= 0.5 ? "тире длинное" : "вместо тире дефис");
  if (guillemets !== null) parts.push(guillemets >= 0.5 ? "кавычки «елочки»" : 'кавычки прямые (")');
  if (latin.letters >= 0.5) parts.push("пишете в основном латиницей");
  else if (latin.share >= 0.15) parts.push("латинские слова вставляете часто");
  if (parts.length === 0) return null;
  const sentence = parts.join(", ");
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`;
};

const typos: Part = ({ typos }) => {
  if (typos === undefined) return null;
  const kept = typos.top.filter(({ count }) => count > 1);
  if (typos.share < 0.005 || kept.length === 0) return null;
  const mended = typos.mended.share >= 0.005 ? "Часть опечаток правите следом, со звездочкой" : "Опечаток не правите";
  return `${mended}; привычные написания с ошибкой: ${quoted(kept, 5)} (${percentOfFew(typos.share)} сообщений).`;
};

const delay: Part = ({ replyDelay }) => {
  if (replyDelay === null) return null;
  const { median } = replyDelay;
  if (median < 60) return "Отвечаете обычно в течение минуты.";
  const minutes = Math.round(median / 60);
  if (minutes < 90) return `Отвечаете обычно через ${minutes} ${pluralForm(minutes, ["минуту", "минуты", "минут"])}.`;
  const hours = Math.round(median / 3600);
  return `Отвечаете обычно через ${hours} ${pluralForm(hours, ["час", "часа", "часов"])}.`;
};

const percent = (share: number) => `${Math.round(share * 100)} %`;
const percentOfFew = (share: number) => `${Math.round(share * 1000) / 10} %`.replace(".", ",");
const quoted = (top: readonly { text: string }[], limit: number) =>
  top
    .slice(0, limit)
    .map((one) => `«${one.text}»`)
    .join(", ");
