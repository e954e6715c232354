/** Words for a model about an answer that may not be sent: the exact place, and what it may do there. */
import type { TwinPurpose } from "#contract/twins.ts";
import type { RecordFault, RecordFaultKind } from "../recorded-answer.ts";

const WORDS: Record<Exclude<RecordFaultKind, "unsupported" | "promise">, string> = {
  address: "в нём ссылка, контакт или слова о том, что отвечает человек",
  cut: "он оборвался: уложись в две фразы",
  shape: "в нём не слова для собеседника",
  machine: "ты говоришь о себе как о программе, хотя об этом не спрашивали",
  language: "он не на языке собеседника",
  note: "в нём то, чего собеседнику говорить нельзя",
};
const LONGEST = 120;
const MOST = 6;

/** Where what is right cannot be found: a twin for friends has no «partly» about what only the owner knows, and no «unknown». */
const OTHERWISE: Record<TwinPurpose, string> = {
  business: "Если верного там нет, поставь kind «partly» или «unknown».",
  friends: "Если верного там нет, скажи без этого; о чём знает лишь владелец, оставь ему с kind «act».",
};

/** @param why a verifier's words. @returns an empty text when there is nothing to complain about */
export function complaintAbout(
  faults: readonly RecordFault[],
  { why = "", purpose = "business" }: { why?: string; purpose?: TwinPurpose | undefined } = {},
): string {
  const piecesOf = (kind: RecordFaultKind) => [
    ...new Set(faults.filter((fault) => fault.kind === kind).flatMap(({ pieces }) => pieces)),
  ];
  const quoted = (pieces: readonly string[]) =>
    pieces
      .slice(0, MOST)
      .map((piece) => `«${piece.slice(0, LONGEST)}»`)
      .join(", ");
  const named = (words: string, pieces: readonly string[]) =>
    pieces.length === 0 ? words : `${words}: ${quoted(pieces)}`;
  const unsupported = piecesOf("unsupported");
  const promised = piecesOf("promise");
  const others = [...new Set(faults.map(({ kind }) => kind))].flatMap((kind) =>
    kind === "unsupported" || kind === "promise" ? [] : [named(WORDS[kind], piecesOf(kind))],
  );
  const wrong = [
    ...(unsupported.length > 0 ? [`этого нет ни в источниках, ни в разговоре: ${quoted(unsupported)}`] : []),
    ...(promised.length > 0 ? [`владелец такого не обещал: ${quoted(promised)}`] : []),
    ...others,
    ...(why === "" ? [] : [why.slice(0, 3 * LONGEST)]),
  ];
  if (wrong.length === 0) return "";
  return `Этот ответ не отправлен: ${wrong.join("; ")}. Найди в источниках верное и исправь только это место; посчитанное запиши в sums. ${OTHERWISE[purpose]} Верни запись целиком.`;
}
