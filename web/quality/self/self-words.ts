import type { SelfPresentation } from "#contract/knowledge/self-presentation.ts";
import { plural } from "#web/i18n/plural.ts";

export const GENDERS = {
  female: "в женском роде",
  male: "в мужском роде",
  unstated: "без рода",
} as const;

type Act = SelfPresentation["learnt"]["acts"][number]["act"];

export function actTitle(act: Act): string {
  const titles: Record<Act, string> = {
    opening: "Здороваетесь",
    thanks: "Благодарите",
    apology: "Извиняетесь",
    refusal: "Отказываете",
    haggling: "Когда просят скидку",
  };
  return titles[act];
}

export function languageList(codes: SelfPresentation["learnt"]["languages"]): string {
  const names = { ru: "русский", en: "английский", uk: "украинский" };
  return codes.map((code) => names[code]).join(", ");
}

const MESSAGES = ["вашему сообщению", "вашим сообщениям", "вашим сообщениям"] as const;

/** Says where a value is known from, and whether the owner alone sees it; null when it is unknown. */
export function sourceOf(isStated: boolean, learnt: { count: number; isShared: boolean } | null): string | null {
  if (isStated) return "указали вы";
  if (learnt === null) return null;
  const from = plural(learnt.count, MESSAGES);
  return learnt.isShared ? `по\u00a0${from}` : `по\u00a0${from}; видите только вы`;
}

/** Whether something is known that nobody but the owner sees. */
export const hidesSomething = ({ learnt, stated }: SelfPresentation): boolean =>
  (stated.gender === "learnt" && learnt.gender?.isShared === false) ||
  (stated.greeting === undefined && learnt.greeting?.isShared === false) ||
  (stated.signature === undefined && learnt.signature?.isShared === false);
