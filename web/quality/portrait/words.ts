/** Describes greetings, farewells and the owner's characteristic words. */
import type { StyleProfile } from "#contract/quality.ts";
import { type Claim, type ClaimRule, frequentForms, phraseMatcher } from "./claim.ts";
import { frequencyOf } from "./frequency.ts";
import { quoteList } from "./numerals.ts";

export const words: ClaimRule = (profile) => [
  greetingsOf(profile),
  farewellsOf(profile),
  favouritesOf(profile),
  spokenOf(profile),
  distinctiveOf(profile),
  answersOf(profile),
  mistakesOf(profile),
];

/** Minimum frequency of a favourite word: in every hundredth message, and a minimum number of times. */
const leastOf = ({ messages }: StyleProfile) => Math.max(3, Math.ceil(messages / 100));

function greetingsOf({ greetings }: StyleProfile): Claim | null {
  const forms = frequentForms(greetings.top, { least: 3, limit: 3 });
  const frequency = frequencyOf(greetings.share, greetings.of);
  if (greetings.share <= 0.1 && greetings.of !== undefined && greetings.of >= 20)
    return { text: "Разговор начинаете без приветствий, сразу с\u00a0дела." };
  if (forms.length === 0) return null;
  const seen = forms.map(phraseMatcher);
  if (frequency === "always" || frequency === "mostly")
    return { text: `Разговор начинаете с\u00a0приветствия: ${quoteList(forms, "или")}.`, seen };
  if (greetings.of === undefined || greetings.share >= 0.6)
    return { text: `Здороваетесь так: ${quoteList(forms, "или")}.`, seen };
  return {
    text: `Здороваетесь не\u00a0всегда, а\u00a0если здороваетесь, то\u00a0так: ${quoteList(forms, "или")}.`,
    seen,
  };
}

function farewellsOf({ farewells }: StyleProfile): Claim | null {
  const forms = frequentForms(farewells.top, { least: 3, limit: 3 });
  return forms.length === 0
    ? null
    : { text: `Прощаетесь: ${quoteList(forms, "или")}.`, seen: forms.map(phraseMatcher) };
}

function favouritesOf(profile: StyleProfile): Claim | null {
  const forms = frequentForms(profile.fillers.top, { least: leastOf(profile), limit: 4, part: 0.05 });
  if (forms.length === 0) return null;
  const name = forms.length === 1 ? "Любимое словечко" : "Любимые словечки";
  return { text: `${name}\u00a0— ${quoteList(forms)}.`, seen: forms.map(phraseMatcher) };
}

/** Colloquial spellings, without words that are already named as favourites. */
function spokenOf(profile: StyleProfile): Claim | null {
  const favourites = new Set(profile.fillers.top.map(({ text }) => text));
  const others = profile.colloquial.top.filter(({ text }) => !favourites.has(text));
  const forms = frequentForms(others, { least: leastOf(profile), limit: 4, part: 0.05 });
  if (forms.length === 0) return null;
  return { text: `Пишете, как говорите: ${quoteList(forms)}.`, seen: forms.map(phraseMatcher) };
}

/** Words and exclamations that the contacts hardly write, without those that another sentence names. */
function distinctiveOf(profile: StyleProfile): Claim | null {
  const { favourites = [], fillers, colloquial, greetings, farewells, phrases } = profile;
  const named = [fillers.top, colloquial.top, greetings.top, farewells.top, ...Object.values(phrases)].flat();
  const others = new Set(named.map(({ text }) => text));
  const forms = favourites
    .filter(({ text, count }) => count >= 3 && !others.has(text))
    .slice(0, 4)
    .map(({ text }) => text);
  if (forms.length === 0) return null;
  return { text: `Чаще собеседников пишете ${quoteList(forms)}.`, seen: forms.map(phraseMatcher) };
}

function answersOf({ phrases, messages }: StyleProfile): Claim | null {
  const least = Math.max(3, Math.ceil(messages / 200));
  const forms = (top: StyleProfile["phrases"]["agreement"], limit: number) => frequentForms(top, { least, limit });
  const agreement = forms(
    [...phrases.agreement, ...phrases.acknowledgement].toSorted((a, b) => b.count - a.count),
    3,
  );
  const unsure = forms(phrases.unsure, 2);
  const thanks = forms(phrases.thanks, 1).filter((text) => !COMMON_THANKS.has(text));
  const said = [
    agreement.length > 0 ? `соглашаетесь словом ${quoteList(agreement, "или")}` : null,
    thanks.length > 0 ? `благодарите словом ${quoteList(thanks)}` : null,
    unsure.length > 0 ? `а\u00a0когда не\u00a0знаете, так и\u00a0пишете: ${quoteList(unsure)}` : null,
  ].filter((text) => text !== null);
  if (said.length === 0) return null;
  const text = said.length === 1 ? said[0]!.replace(/^а\u00a0/, "") : said.join(", ");
  return {
    text: `${text[0]!.toUpperCase()}${text.slice(1)}.`,
    seen: [...agreement, ...thanks, ...unsure].map(phraseMatcher),
  };
}

const COMMON_THANKS = new Set(["спасибо", "thanks", "thank you"]);

function mistakesOf({ typos }: StyleProfile): Claim | null {
  if (typos === undefined) return null;
  const forms = frequentForms(typos.top, { least: 3, limit: 3, part: 0.1 });
  const mends = typos.mended.share >= 0.01;
  const kept = forms.length > 0 ? `Есть и\u00a0привычные описки: ${quoteList(forms)}` : null;
  const mended = "опечатку исправляете следом, со\u00a0звёздочкой";
  if (kept === null) return mends ? { text: `Если ошиблись, ${mended}.` } : null;
  return { text: `${kept}${mends ? `; другую ${mended}` : ""}.`, seen: forms.map(phraseMatcher) };
}
