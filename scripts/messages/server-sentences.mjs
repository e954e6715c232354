// Fixed sentences that the server answers with: a screen shows them as they come, so a catalogue has them in a part of its own.
import { parseSync } from "vite";
import { messagesOf } from "./module-messages.mjs";

/** Sentences for operators, letters, files of an export, a bot's messages, and lists of words that the program works with. */
const NOT_SHOWN =
  /^server\/(platform\/(config|db|db-upkeep|pages\/openapi|network(?!\/(entered-proxy|proxy-failure)\.ts)|secrets|untrusted-text)|knowledge\/(language(?!\/disclosure\.ts)|embeddings|search|style)|answers\/(fidelity|output-guard)|operations\/(backup|health\/alerts|records\/export|master-key)|demo\/(content|workspace)|commands|test)\/|^server\/(platform\/(config|log|files\/(data-folder-lock|wait-for-room)|pages\/openapi)|operations\/(health\/alerts|records\/(make-export|sweep-exports))|main|serve|start-failure)\.ts$|letter|^server\/(answers\/tools\/(wording|stated-values|confirmation)|models\/(media\/(endpoint\/vision|this-machine)|remote\/(check-cost|trusted-roots))|answers\/(exam\/exam-|training-pairs\/(training-lines|archive-guide))|inbox\/(api-keys\/mcp|owner-chat\/|channel-protocol\/opt-out|answering\/(fixed-replies|escalation-policy)|channels\/email\/(automatic|parsing)|what-to-ask|twin-exam\/phrase-questions))|\.test\.ts$/;

/** Here texts are what the program works with, except what it refuses with or notes as an activity. */
const SAID_IN_CALLS =
  /^server\/(knowledge\/(?!(language|embeddings|search|style)\/|public-replies\/open-replies\.ts)|answers\/(replies|training)\/|inbox\/gaps\/|imports\/)/;
const SAYING =
  /^(forbidden|conflict|invalid|notFound|outOfSpace|Problem|recordActivity|tooLarge|tooMany|unauthorized|unavailable|unprocessable|unsupported|upstream)$/;

/** What the server sends as it stands in the contract: the plans that a database begins with, the words of the audit log, sizes. */
const OF_CONTRACT = /^contract\/(plans\/default-plans|organizations\/audit|written-size)\.ts$/;
/** Here single words and units count as well, since answers with them hold no user's texts. */
const STATE = /^server\/(operations\/health\/|accounts\/mail\/(notices|device-name|sentences)\.ts$)/;

/**
 * A single word, or one with places around it, may just as well be a user's text.
 * @param {string} text
 * @param {number} least number of words
 */
const isSentence = (text, least) =>
  !/\n| \| |^Отвечай/.test(text) && (text.match(least > 1 ? /[а-яё]{2,}/gi : /[а-яё]+/gi)?.length ?? 0) >= least;

/** @param {string} file from the project's folder, with «/» */
export const isServerFile = (file) =>
  OF_CONTRACT.test(file) || (/^server\/.*\.ts$/.test(file) && !NOT_SHOWN.test(file));

/**
 * @param {string} file
 * @param {string} code
 */
export function sentencesOfServer(file, code) {
  const texts = SAID_IN_CALLS.test(file) ? saidIn(file, code) : messagesOf(file, code);
  return texts.filter((text) => isSentence(text, STATE.test(file) || OF_CONTRACT.test(file) ? 1 : 2));
}

/**
 * @param {string} file
 * @param {string} code
 */
function saidIn(file, code) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {any} */ value) => {
    if (typeof value !== "object" || value === null) return;
    if (/^(Call|New)Expression$/.test(value.type) && SAYING.test(value.callee.name ?? "")) {
      found.push(
        ...value.arguments.flatMap((/** @type {any} */ each) =>
          messagesOf(file, `(${code.slice(each.start, each.end)})`),
        ),
      );
      return;
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(file, code, {}).program);
  return found;
}
