/** Everything that reads strangers' text as it came, and texts that are made to be slow to read. */
import { headOf, speechOf } from "#contract/conversations/pasted-lines.ts";
import { normalise } from "#server/answers/fidelity/normalise.ts";
import { guardOutput } from "#server/answers/output-guard/guard-output.ts";
import { keysIn } from "#server/answers/output-guard/known-addresses.ts";
import { findSpacedAddresses } from "#server/answers/output-guard/spaced-addresses.ts";
import { sourceAmountsIn } from "#server/answers/replies/checking/amounts/source-amounts.ts";
import { amountsIn } from "#server/answers/replies/checking/amounts/stated-amounts.ts";
import { daysIn } from "#server/answers/replies/checking/days.ts";
import { withoutMarkdown } from "#server/answers/replies/checking/plain-text.ts";
import { admitsUnknown, declines, isMachineTalk } from "#server/answers/replies/checking/refusals.ts";
import { withoutMarkup } from "#server/answers/replies/extraction/markup.ts";
import { fillerKind } from "#server/answers/replies/owner-words/filler-replies.ts";
import { repairJson } from "#server/imports/formats/parts/repair-json.ts";
import { namesWithColon, parseHead, splitAuthor } from "#server/imports/formats/whatsapp/whatsapp-line.ts";
import { classifyText } from "#server/imports/formats/whatsapp/whatsapp-text.ts";
import { escalationTopic } from "#server/inbox/answering/escalation-policy.ts";
import { slackText, whatsappText } from "#server/inbox/channel-protocol/markup.ts";
import { isOptIn, isOptOut } from "#server/inbox/channel-protocol/opt-out.ts";
import { splitText } from "#server/inbox/channel-protocol/split-text.ts";
import { deliveryReport } from "#server/inbox/channels/email/parsing/delivery-report.ts";
import { titleOf } from "#server/inbox/channels/email/parsing/letter-title.ts";
import { reportedOf as slackEvent } from "#server/inbox/channels/slack/event.ts";
import { telegramHtml } from "#server/inbox/channels/telegram/text.ts";
import { csvText } from "#server/knowledge/documents/csv-text.ts";
import { documentBlocks } from "#server/knowledge/documents/document-blocks.ts";
import { htmlText } from "#server/knowledge/documents/html-text.ts";
import { splitChunks } from "#server/knowledge/documents/split-chunks.ts";
import { ownThing } from "#server/knowledge/language/ask-back.ts";
import { asksWhoAnswers } from "#server/knowledge/language/disclosure.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { askedTypes } from "#server/knowledge/language/question/answer-type.ts";
import { questionParts } from "#server/knowledge/language/question/question-parts.ts";
import { createVault, redact, restore } from "#server/knowledge/language/redact.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { slotsOf } from "#server/knowledge/language/slots.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { speakerGender } from "#server/knowledge/language/speaker-gender.ts";
import { commitmentsIn } from "#server/knowledge/language/statements/promises.ts";
import { phonesIn, quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";
import { visibleText } from "#server/knowledge/language/visible-text.ts";
import { words } from "#server/knowledge/language/words/analyze.ts";
import { findPhrases, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { ownWords } from "#server/knowledge/letters/own-words.ts";
import { parseChatHistory } from "#server/knowledge/messages/pairs/parse-pasted-lines.ts";
import { signatureOf } from "#server/knowledge/style/self/signature.ts";
import { actPhrase, haggles } from "#server/knowledge/style/self/social-acts.ts";
import { statedRole } from "#server/knowledge/style/self/stated-role.ts";
import { bracketForms, emojiIn } from "#server/knowledge/style/style-marks.ts";
import { withoutSecrets } from "#server/platform/secrets/secret-patterns.ts";

const SOURCES = ["Прайс: https://shop.example/price?id=1"];
const slackBody = (text: string) => ({
  type: "event_callback",
  event_id: "E1",
  team_id: "T1",
  event: { type: "message", channel_type: "im", channel: "D1", user: "U1", ts: "1795000000.000001", text },
});
/** What a reader refuses in words, it has read. */
const tried = (read: (text: string) => unknown) => (text: string) => {
  try {
    return read(text);
  } catch {
    return null;
  }
};

export const READERS: Record<string, (text: string) => unknown> = {
  isOptIn,
  isOptOut,
  deliveryReport,
  titleOf: (text) => titleOf(Buffer.from(text)),
  ownWords: (text) => ownWords(text, true),
  slackText,
  whatsappText,
  telegramHtml,
  slackEvent: (text) => slackEvent(slackBody(text), null),
  splitText: (text) => splitText(text, 4096),
  escalationTopic,
  words,
  withoutMarkup,
  askedTypes,
  ownThing,
  fillerKind,
  asksWhoAnswers,
  normalise: (text) => normalise(text, { nicks: true }),
  guardOutput: (text) => guardOutput(text, SOURCES),
  findPhrases: (text) => findPhrases(wordsOf(text)),
  claimsToBeHuman,
  keysIn,
  questionParts: (text) => questionParts(text, null),
  redact: (text) => redact(text, createVault("abcdef")),
  restore: (text) => restore(text, createVault("abcdef")),
  addressesApart: findSpacedAddresses,
  amountsIn: (text) => amountsIn(text, { source: false }),
  sourceAmountsIn: (text) => sourceAmountsIn(text, "Прайс"),
  admitsUnknown,
  commitmentsIn,
  daysIn: (text) => daysIn(text, true),
  declines,
  isMachineTalk,
  phonesIn,
  quantitiesIn,
  withoutMarkdown,
  smallTalkOf,
  speakerGender,
  signatureOf,
  socialActs: (text) => [actPhrase("apology", text, wordsOf(text)), haggles(text)],
  statedRole,
  bracketForms,
  emojiIn,
  visibleText,
  repairJson,
  parseHead: (text) => [
    parseHead(text, "bracket"),
    parseHead(text, "dash"),
    splitAuthor(text, ["Авто: Борис"]),
    namesWithColon([text]),
  ],
  judgeText: classifyText,
  csvText: tried(csvText),
  documentBlocks,
  htmlText: tried(htmlText),
  parseChatHistory: tried((text) => parseChatHistory(text)),
  speechOf: (text) => [speechOf(text), headOf(text)],
  splitSentences,
  slotsOf,
  splitChunks,
  withoutSecrets,
};

/** These functions are known for vulnerabilities when they are repeated. */
export const UNITS = [
  " ",
  "\n",
  "\t \n",
  ".",
  ". ",
  ">",
  "> \n",
  "«",
  '"',
  "'",
  "@",
  "a@",
  "a@b.",
  "<",
  "<b>",
  "<a href=",
  "</",
  "[",
  "[a](",
  "![",
  "]( ",
  "(",
  ")",
  ":)",
  "http://",
  "http://a.b/ ",
  "a.",
  "www.a",
  "1",
  "1 ",
  "1.1.",
  "1,000",
  "12:",
  "+7 9",
  "\u200b",
  "\ufeff",
  "e\u0301",
  "👨‍👩‍👧",
  "а",
  "Аб ",
  "не ",
  "я ",
  "сколько ",
  "jan ",
  "On 1.1.2026, a <a@b.c> wrote:\n",
  "From: a\n",
  "-- \n",
  "*",
  "**a",
  "`",
  "~~",
  "_",
  "#",
  "# a\n",
  "- a\n",
  "|",
  "a|b\n",
  "=?utf-8?B?",
  "eyJ",
  "-----BEGIN PRIVATE KEY-----",
  "\\",
  '{"a":',
  "&lt;",
  "Вы: ",
  "точка ",
  "[01.01.2026, 10:00] А: б\n",
] as const;
