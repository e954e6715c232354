import type { StyleProfile } from "#contract/quality.ts";
import { type Address, addressIn } from "#server/knowledge/language/address.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { findPhrases, wordsOf } from "#server/knowledge/language/words/lexicon.ts";

interface AddressEvidence {
  /** Set by the owner; absent or null: detected. */
  address?: Address | null;
  replyExamples: readonly { reply: string; sameContact: boolean }[];
  /** Turns of this conversation, oldest first, without `message`. */
  history: readonly HistoryTurn[];
  message: string;
  profile: StyleProfile | null;
  twin: { communicationStyle: string };
}

/**
 * Determines how the owner addresses this contact. It uses, in order: the owner's setting, past replies to the contact, this
 * conversation, the contact's own form, the owner's usual or ordered form, вы.
 */
export function contactAddress({
  address = null,
  replyExamples,
  history,
  message,
  profile,
  twin,
}: AddressEvidence): Address {
  const owners = replyExamples
    .filter((replyExample) => replyExample.sameContact)
    .map((replyExample) => replyExample.reply);
  const twins = history.filter((turn) => turn.role === "assistant").map((turn) => turn.content);
  const contacts = [...history.filter((turn) => turn.role === "user").map((turn) => turn.content), message];
  const familiarOwner = profile === null || profile.address.familiar === null ? null : profile.address.familiar;
  return (
    address ??
    majority(owners) ??
    majority(twins) ??
    (majority(contacts) === "вы" ? "вы" : majority(contacts) === "ты" && (familiarOwner ?? 1) >= 0.2 ? "ты" : null) ??
    (familiarOwner !== null && familiarOwner >= 0.8
      ? "ты"
      : familiarOwner !== null && familiarOwner <= 0.2
        ? "вы"
        : null) ??
    described(twin.communicationStyle) ??
    ((familiarOwner ?? 0) >= 0.5 && contacts.some(greetsFamiliarly) ? "ты" : "вы")
  );
}

/** Returns the form that the twin has used in this conversation, else the contact's; null when neither addresses the other. */
export function detectAddress(history: readonly HistoryTurn[], message: string): Address | null {
  const said = (role: HistoryTurn["role"]) => history.filter((turn) => turn.role === role).map((turn) => turn.content);
  return majority(said("assistant")) ?? majority([...said("user"), message]);
}

function majority(texts: readonly string[]): Address | null {
  let familiar = 0;
  let polite = 0;
  for (const text of texts) {
    const said = addressIn(wordsOf(text));
    if (said.familiar) familiar++;
    if (said.polite) polite++;
  }
  return familiar > polite ? "ты" : polite > familiar ? "вы" : null;
}

function described(style: string): Address | null {
  if (/(?<!\p{L})на\s+["«]?вы(?!\p{L})|официальн|делов/iu.test(style)) return "вы";
  return /(?<!\p{L})на\s+["«]?ты(?!\p{L})|неформальн|приятельск|по-дружески/iu.test(style) ? "ты" : null;
}

/** Greetings of people on «ты». */
export const FAMILIAR_GREETINGS: ReadonlySet<string> = new Set([
  "привет",
  "приветик",
  "прив",
  "хай",
  "здарова",
  "дарова",
  "здаров",
  "йо",
]);
const greetsFamiliarly = (text: string) =>
  findPhrases(wordsOf(text)).some((phrase) => phrase.kind === "greeting" && FAMILIAR_GREETINGS.has(phrase.text));
