/** Describes to the owner in prose how he writes; it states only what the measured messages support. */
import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { plural } from "#web/i18n/plural.ts";
import type { Claim } from "./claim.ts";
import { marks } from "./marks.ts";
import { people } from "./people.ts";
import { type Quotation, quotationsFor } from "./quotations.ts";
import { rhythm } from "./rhythm.ts";
import { words } from "./words.ts";

/** Minimum number of messages; with fewer nearly every habit may be chance. */
const MIN_MESSAGES = 50;
/** Number of messages from which more of them change little. */
const DETAILED_FROM = 300;

export interface Portrait {
  paragraphs: string[];
  quotations: Quotation[];
  /** Says what more messages would add; null when there are enough. */
  note: string | null;
}

const MESSAGE_FORMS = ["сообщение", "сообщения", "сообщений"] as const;
const YOUR_MESSAGE_FORMS = ["вашему сообщению", "вашим сообщениям", "вашим сообщениям"] as const;

/** Returns null with too few messages; `missingFor` says how many more are needed. */
export function portraitOf(profile: StyleProfile, groups: TwinQuality["groups"]): Portrait | null {
  if (profile.messages < MIN_MESSAGES) return null;
  const told = [rhythm(profile), marks(profile), words(profile), people(profile, groups)].map((claims) =>
    claims.filter((claim): claim is Claim => claim !== null),
  );
  return {
    paragraphs: told.filter((claims) => claims.length > 0).map((claims) => claims.map(({ text }) => text).join(" ")),
    quotations: quotationsFor(profile, told.flat()),
    note:
      profile.messages < DETAILED_FROM
        ? `Портрет составлен по\u00a0${plural(profile.messages, YOUR_MESSAGE_FORMS)}: о\u00a0чём говорить рано, мы\u00a0промолчали. С\u00a0${DETAILED_FROM} он станет подробнее.`
        : null,
  };
}

/** Text in place of the portrait. @param messages number of the owner's messages, 0 if the twin learnt none */
export function missingFor(messages: number): string {
  if (messages === 0)
    return `Загрузите свою переписку: ${MIN_MESSAGES} ваших сообщений хватит на\u00a0первый портрет, а\u00a0с\u00a0${DETAILED_FROM} он станет подробным.`;
  const more = plural(MIN_MESSAGES - messages, MESSAGE_FORMS);
  return `Пока у\u00a0двойника ${plural(messages, ["ваше сообщение", "ваших сообщения", "ваших сообщений"])}. Для портрета нужно хотя\u00a0бы ${MIN_MESSAGES}: загрузите ещё ${more}, а\u00a0лучше больше.`;
}
