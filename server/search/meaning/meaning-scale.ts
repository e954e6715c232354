/**
 * What a similarity is worth. Models differ: one calls strangers .1 alike, another .8. So each is shown questions, the same
 * questions in other words and what answers them, and its own scale is read off what it says of those that belong together
 * and of those that do not.
 */
import type { TextRole } from "#server/models/protocol.ts";
import { similarityTo } from "./codes.ts";

/** A question, the same in other words, and a statement that answers it; of different subjects, with few words in common. */
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

/** Of the texts of all probes, in their order. */
export const PROBE_ROLES: readonly TextRole[] = PROBES.flatMap(() => ["query", "query", "passage"] as const);

/** Cosine to 0..1: how likely it is that the two belong together. */
export interface Line {
  middle: number;
  slope: number;
  /** A cosine that all but a few strangers stay below: what is no nearer is not found. */
  least: number;
}

export interface MeaningScale {
  /** Between two questions. */
  exemplar: Line;
  /** Between a question and what answers it. */
  passage: Line;
}

/** @param vectors of length 1, of all texts of `PROBES` in their order */
export function scaleOf(vectors: readonly Float32Array[], codes: readonly Buffer[]): MeaningScale {
  return { exemplar: lineOf(vectors, codes, 1), passage: lineOf(vectors, codes, 2) };
}

/** The share of strangers that may come as near as the lower point, and what both points are taken for. */
const STRANGERS = 0.95;
const LEAST = 0.15;
/** Of the way from the middle stranger to the middle of kin, so much must lie beyond all but a few strangers. */
const CLEAR = 0.1;
const AT_STRANGERS = Math.log(LEAST / (1 - LEAST));
const AT_KIN = -AT_STRANGERS;

function lineOf(vectors: readonly Float32Array[], codes: readonly Buffer[], other: 1 | 2): Line {
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
  // A model that does not tell them apart finds nothing.
  const apart = high - low > CLEAR * (high - at(strangers, 0.5));
  const least = apart ? low : Number.POSITIVE_INFINITY;
  // One whose cosines lie close together (E5) ranks well, and yet no cosine of its own says how likely it is.
  if (high - low < 0.02) return { middle: Number.POSITIVE_INFINITY, slope: 1, least };
  const slope = (AT_KIN - AT_STRANGERS) / (high - low);
  return { middle: low - AT_STRANGERS / slope, slope, least };
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;

/** A pair and an open reply are found by their questions. */
export const lineFor = (scale: MeaningScale, kind: "passage" | "exemplar" | "open"): Line =>
  kind === "passage" ? scale.passage : scale.exemplar;

/** 0..1 */
export function likelihoodOf(similarity: number, { middle, slope }: Line): number {
  return 1 / (1 + Math.exp(slope * (middle - similarity)));
}

/** Whether it is nearer than all but a few strangers are. */
export const isKin = (similarity: number, { least }: Line) => similarity > least;
