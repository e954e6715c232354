import type { TwinInput, TwinPurpose } from "#contract/twins.ts";

export const suggestedFields = ["personality", "communicationStyle", "knowledgeArea"] as const;
export type SuggestedField = (typeof suggestedFields)[number];
export type Suggestion = Pick<TwinInput, SuggestedField>;

/** The texts promise only what every twin does, for either purpose, and no quality that the description lacks. */
const BY_PURPOSE: Record<TwinPurpose, Omit<Suggestion, "knowledgeArea">> = {
  business: {
    personality:
      "Вежливый и внимательный помощник: отвечает по делу, не обещает лишнего и прямо говорит, чего не знает",
    communicationStyle: "На «вы», коротко и по делу, без канцелярита и лишних восклицаний",
  },
  friends: {
    personality: "Свой человек: говорит просто и тепло, о серьёзном — серьёзно, и честно признаётся, чего не знает",
    communicationStyle: "На «ты», коротко и просто, как в переписке с друзьями",
  },
};

/** Maximum length of the area of knowledge, with space for the words before it. */
const LONGEST = 440;
const SHORTEST = 5;

/** Suggests texts for fields that the description leaves open. They satisfy the form's rules and are the same for the same description. */
export const suggestFields = (description: string, purpose: TwinPurpose): Suggestion => ({
  ...BY_PURPOSE[purpose],
  knowledgeArea: areaOf(description),
});

/** Extracts the area of knowledge: the list after a colon, the subject after «о», «про» or «по», otherwise the first sentence. */
function areaOf(description: string): string {
  const [sentence = ""] = description.trim().split(/[.!?\n]/, 1);
  const colon = sentence.indexOf(":");
  const list = colon === -1 ? "" : sentence.slice(colon + 1).trim();
  if (list.length >= SHORTEST) return capitalized(cut(list));
  const about = /\s((?:об?|про|по)\s\S.*)$/iu.exec(sentence)?.[1];
  if (about !== undefined && about.length >= SHORTEST) return `Вопросы ${cut(about)}`;
  return `Темы из описания: ${cut(sentence.trim() || description.trim())}`;
}

const cut = (text: string) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST).trimEnd()}…`);
const capitalized = (text: string) => text.slice(0, 1).toLocaleUpperCase("ru") + text.slice(1);
