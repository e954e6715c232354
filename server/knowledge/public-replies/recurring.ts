/**
 * Determines what may be published of similar replies. At least three people have received every word of the result, and at least three
 * have used every question word. So nothing can identify one of them (k-anonymity; Sweeney 2002).
 */

import { stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { MIN_PEOPLE } from "#server/knowledge/messages/people.ts";
import { keyOf, stemsOf } from "./near-duplicates.ts";

export interface CandidatePair {
  id: number;
  /** The recipient; two contacts who are one person share a number. */
  person: number;
  incoming: string;
  reply: string;
}

export interface Recurring {
  /** The words that at least three people used in their questions, in the usual order. */
  question: string;
  /** One original reply; at least three people received every word of it, apart from stop words. */
  reply: string;
  people: number;
  witnesses: number[];
}

/** Maximum length in characters; a longer reply is too specific to its conversation. */
const LONGEST_REPLY = 300;
const LONGEST_QUESTION = 200;
const MAX_QUESTIONS = 4;
/** Minimum average share of a question's stems that all askers have in common; «да, есть» answers a hundred different questions. */
const COHERENT = 0.5;

/** @param pairs pairs whose replies are similar */
export function recurringOf(pairs: readonly CandidatePair[]): Recurring[] {
  const found: Recurring[] = [];
  let left = pairs.map((pair) => ({ ...pair, asked: stemsOf(pair.incoming) }));
  for (let turn = 0; turn < MAX_QUESTIONS; turn++) {
    const subject = commonest(left.map(({ person, asked }) => ({ person, words: asked })));
    if (subject === null) break;
    const group = left.filter(({ asked }) => asked.has(subject));
    left = left.filter(({ asked }) => !asked.has(subject));
    const told = tellable(group);
    if (told !== null) found.push(told);
  }
  return found;
}

type Asked = CandidatePair & { asked: ReadonlySet<string> };

function tellable(group: readonly Asked[]): Recurring | null {
  const people = new Set(group.map(({ person }) => person)).size;
  const common = shared(group.map(({ person, asked }) => ({ person, words: asked })));
  const held = group.map(({ asked }) => [...asked].filter((stem) => common.has(stem)).length / asked.size);
  if (held.reduce((sum, share) => sum + share, 0) / held.length < COHERENT) return null;
  const reply = wordingOf(group);
  const question = questionOf(group, common);
  return reply === null || question === "" ? null : { question, reply, people, witnesses: group.map(({ id }) => id) };
}

interface Used {
  person: number;
  words: Iterable<string>;
}

function peopleBy(used: readonly Used[]): Map<string, Set<number>> {
  const people = new Map<string, Set<number>>();
  for (const { person, words } of used) {
    for (const word of words) {
      const of = people.get(word);
      if (of === undefined) people.set(word, new Set([person]));
      else of.add(person);
    }
  }
  return people;
}

function shared(used: readonly Used[]): Set<string> {
  const enough = [...peopleBy(used)].filter(([, people]) => people.size >= MIN_PEOPLE);
  return new Set(enough.map(([word]) => word));
}

function commonest(used: readonly Used[]): string | null {
  let best: { word: string; people: number } | null = null;
  for (const [word, { size: people }] of peopleBy(used)) {
    if (people < MIN_PEOPLE) continue;
    if (best === null || people > best.people || (people === best.people && word.length > best.word.length))
      best = { word, people };
  }
  return best?.word ?? null;
}

/** Returns the wording that most people received, among those without any word that fewer than three received. */
function wordingOf(group: readonly Asked[]): string | null {
  const common = shared(group.map(({ person, reply }) => ({ person, words: stemsOf(reply) })));
  const sayable = group
    .map(({ person, reply, id }) => ({ person, id, reply: reply.trim(), key: keyOf(reply) ?? "" }))
    .filter(({ reply }) => reply.length <= LONGEST_REPLY && [...stemsOf(reply)].every((stem) => common.has(stem)));
  const people = peopleBy(sayable.map(({ person, key }) => ({ person, words: [key] })));
  sayable.sort((a, b) => people.get(b.key)!.size - people.get(a.key)!.size || b.id - a.id);
  return sayable[0]?.reply ?? null;
}

/** @param common the stems that at least three people used */
function questionOf(group: readonly Asked[], common: ReadonlySet<string>): string {
  const written = group.map(({ person, incoming }) => ({ person, words: words(incoming) }));
  const forms = peopleBy(written);
  const places = new Map<string, number[]>();
  const formOf = new Map<string, string>();
  for (const { words: asked } of written) {
    asked.forEach((word, at) => {
      const stem = stemOf(word);
      const people = forms.get(word)!.size;
      // A stop word identifies no one, but it joins the question only when three people used it.
      const name = stem === "" ? word : stem;
      if (stem === "" ? people < MIN_PEOPLE : !common.has(stem)) return;
      const best = formOf.get(name);
      if (best === undefined || people > forms.get(best)!.size) formOf.set(name, word);
      const seen = places.get(name);
      if (seen === undefined) places.set(name, [at / asked.length]);
      else seen.push(at / asked.length);
    });
  }
  const mean = (name: string) => places.get(name)!.reduce((sum, at) => sum + at, 0) / places.get(name)!.length;
  const ordered = [...formOf].map(([name, form]) => ({ form, at: mean(name) })).sort((a, b) => a.at - b.at);
  let question = "";
  for (const { form } of ordered) {
    // An individual's inflection must not be published, so a form used by fewer than three people is cut to the shared stem.
    const word = (forms.get(form)?.size ?? 0) >= MIN_PEOPLE ? form : sharedStart(form, stemOf(form));
    if (question.length + word.length + 1 > LONGEST_QUESTION) break;
    question += question === "" ? word : ` ${word}`;
  }
  return question;
}

/** The stem need not be a prefix of the form («делов», of «дела»), so their common prefix is used. */
function sharedStart(form: string, stem: string): string {
  let length = 0;
  while (length < stem.length && form[length] === stem[length]) length++;
  return form.slice(0, length);
}
