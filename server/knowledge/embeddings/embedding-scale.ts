/**
 * Calibrates similarities. Models differ: unrelated texts have a cosine of 0.1 in one and of 0.8 in another. Each model therefore embeds
 * questions, paraphrases and answers, and its scale is derived from the cosines of related and unrelated texts.
 */
import type { TextRole } from "#server/models/host/protocol.ts";
import { similarityTo } from "./codes.ts";

/** A question, a paraphrase and an answering statement. The subjects differ, and few words are shared. */
export const PROBES: readonly (readonly [string, string, string])[] = [
  ["Во сколько вы открываетесь?", "С какого часа работает магазин?", "Двери для посетителей распахнуты с девяти утра."],
  ["Сколько стоит доставка?", "Какая цена за привоз курьером?", "Привезти заказ на дом выйдет в триста рублей."],
  ["Можно вернуть товар?", "Если покупка не подошла, её примут обратно?", "Деньги отдаём в течение двух недель."],
  ["Где ты живешь?", "В каком городе твой дом?", "Моя квартира на юге Москвы."],
  ["Как оформить пропуск?", "Что нужно для входа в здание?", "Охране показывают паспорт и заявку."],
  ["У вас есть парковка?", "Куда поставить машину?", "Автомобили оставляют во дворе за шлагбаумом."],
  ["Ты видел новый фильм?", "Смотрел ли ты премьеру в кино?", "Вчера ходил на вечерний сеанс."],
  ["Как зовут твою собаку?", "Какая кличка у пса?", "Щенка назвали Бимом."],
  ["Когда придёт зарплата?", "Какого числа переводят оплату сотрудникам?", "Выплаты бывают пятого и двадцатого."],
  [
    "Что делать, если забыл пароль?",
    "Не могу войти в аккаунт, как восстановить доступ?",
    "Ссылка для сброса есть на странице входа.",
  ],
  ["How long is the warranty?", "For what period is a repair free?", "Defects are fixed at no charge for two years."],
  ["Do you speak German?", "Can we talk in Deutsch?", "I only know Russian and a little French."],
];

/** Roles of all texts of `PROBES`, in order. */
export const PROBE_ROLES: readonly TextRole[] = PROBES.flatMap(() => ["query", "query", "passage"] as const);

/** Converts a cosine into the likelihood, 0..1, that two texts belong together. */
interface SimilarityCalibration {
  middle: number;
  slope: number;
  /** Cosine above nearly all unrelated texts; a text that is no closer is not found. */
  least: number;
}

export interface EmbeddingScale {
  replyExample: SimilarityCalibration;
  chunk: SimilarityCalibration;
}

/** @param vectors of all texts of `PROBES` in order, normalised to length 1 */
export function scaleOf(vectors: readonly Float32Array[], codes: readonly Buffer[]): EmbeddingScale {
  return { replyExample: lineOf(vectors, codes, 1), chunk: lineOf(vectors, codes, 2) };
}

/** Share of unrelated texts below the lower point of the scale. */
const STRANGERS = 0.95;
/** Likelihood assigned to the lower point. */
const STRANGER_LIKELIHOOD = 0.15;
/** A model is usable only if its median related pair clears nearly all unrelated ones by this share of the distance to their median. */
const CLEAR = 0.1;
const AT_STRANGERS = Math.log(STRANGER_LIKELIHOOD / (1 - STRANGER_LIKELIHOOD));
const AT_KIN = -AT_STRANGERS;

function lineOf(vectors: readonly Float32Array[], codes: readonly Buffer[], other: 1 | 2): SimilarityCalibration {
  const kin: number[] = [];
  const strangers: number[] = [];
  for (let one = 0; one < PROBES.length; one++) {
    for (let two = 0; two < PROBES.length; two++) {
      const similarity = similarityTo(vectors[one * 3]!, codes[two * 3 + other]!);
      (one === two ? kin : strangers).push(similarity);
    }
  }
  const high = at(kin, 0.5);
  const low = at(strangers, STRANGERS);
  // A model that does not separate related texts must find nothing.
  const apart = high - low > CLEAR * (high - at(strangers, 0.5));
  const least = apart ? low : Number.POSITIVE_INFINITY;
  // A model with narrowly spread cosines (E5) ranks well, but its cosines do not show how likely a match is.
  if (high - low < 0.02) return { middle: Number.POSITIVE_INFINITY, slope: 1, least };
  const slope = (AT_KIN - AT_STRANGERS) / (high - low);
  return { middle: low - AT_STRANGERS / slope, slope, least };
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;

/** Pairs and published replies are matched by their questions. */
export const calibrationFor = (scale: EmbeddingScale, kind: "chunk" | "example" | "open"): SimilarityCalibration =>
  kind === "chunk" ? scale.chunk : scale.replyExample;

export function likelihoodOf(similarity: number, { middle, slope }: SimilarityCalibration): number {
  return 1 / (1 + Math.exp(slope * (middle - similarity)));
}

export const isSimilarEnough = (similarity: number, { least }: SimilarityCalibration) => similarity > least;
