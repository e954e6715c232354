/** Measures how an owner writes, one message at a time: a million messages need no array. */
import type { StyleProfile } from "#contract/quality.ts";
import { addressIn } from "./address.ts";
import { type FoundPhrase, FUNCTION_WORDS, findPhrases, OPENERS, type PhraseKind, wordsOf } from "./lexicon.ts";
import { Distribution, ExampleShelf, Tally } from "./style-counters.ts";
import { bracketForms, emojiIn, lettersOf, typographyOf } from "./style-marks.ts";
import { TurnTracker } from "./style-turns.ts";

export interface StyleMessage {
  text: string;
  /** null where the export has no times. */
  sentAt: Date | null;
  fromOwner: boolean;
  chatId: string | number;
}

export interface StyleAccumulator {
  /** Messages of one chat come in the order they were sent; chats may interleave. */
  add(message: StyleMessage): void;
  /** The profile of all that was added so far; adding may go on afterwards. */
  result(): StyleProfile;
}

/** Measures the owner's messages among all; an empty list gives a profile of zeros and nulls. */
export function measureStyle(messages: Iterable<StyleMessage>, options?: { utcOffsetMinutes?: number }): StyleProfile {
  const accumulator = styleAccumulator(options);
  for (const message of messages) accumulator.add(message);
  return accumulator.result();
}

/** @param options utcOffsetMinutes: of the owner's clock, for the hours; Moscow when not given. */
export function styleAccumulator({ utcOffsetMinutes = 180 }: { utcOffsetMinutes?: number } = {}): StyleAccumulator {
  const turns = new TurnTracker();
  const marks = new Marks();
  const speech = new Speech();
  const lengths = new Distribution();
  const examples = new ExampleShelf();
  const hours = new Array<number>(24).fill(0);
  let owners = 0;
  let timed = 0;

  function add(message: StyleMessage): void {
    const text = message.text.trim();
    if (text === "") return;
    const time = message.sentAt?.getTime() ?? Number.NaN;
    const at = Number.isNaN(time) ? null : time;
    if (!message.fromOwner) {
      turns.addIncoming(message.chatId, text, at);
      return;
    }
    owners++;
    if (at !== null) {
      timed++;
      hours[new Date(at + utcOffsetMinutes * 60_000).getUTCHours()]!++;
    }
    lengths.add(text.length);
    examples.offer("length", text);
    marks.add(text, examples);
    const { greets, parts } = speech.add(text, examples);
    if (turns.addOwners(message.chatId, text, at, greets, parts) === 2) examples.offer("turn", text);
  }

  function result(): StyleProfile {
    const { counts, sentences, characters } = turns.result();
    const habit = { brackets: marks.brackets.top(5), emoji: marks.emoji.top(8) };
    const share = (name: MarkName) => ({ share: ratio(marks.counts[name], owners), examples: examples.of(name) });
    const kinds = speech.kinds;
    const said = (kind: PhraseKind, limit: number) => ({
      share: ratio(speech.counts[kind], owners),
      top: kinds[kind].top(limit),
      examples: examples.of(kind),
    });
    return {
      version: 1,
      messages: owners,
      turns: counts.turns,
      chats: turns.chats,
      turn: {
        messages: counts.turns === 0 ? 0 : round(owners / counts.turns),
        several: ratio(counts.several, counts.turns),
        sentences,
        characters,
        examples: examples.of("turn"),
      },
      length: { ...lengths.quartiles(), words: speech.lengths.quantile(0.5), examples: examples.of("length") },
      lowerCaseStart: {
        ...share("lowerCaseStart"),
        share: ratio(marks.counts.lowerCaseStart, marks.counts.letterStart),
      },
      finalFullStop: {
        ...share("finalFullStop"),
        share: ratio(marks.counts.finalFullStop, marks.counts.finalFullStop + marks.counts.wordEnd),
      },
      exclamation: share("exclamation"),
      question: share("question"),
      ellipsis: share("ellipsis"),
      brackets: { ...share("brackets"), top: habit.brackets },
      emoji: { ...share("emoji"), top: habit.emoji },
      address: speech.address(examples),
      greetings: {
        ...said("greeting", 5),
        share: ratio(counts.firstGreeting, counts.first),
        back: ratioOrNull(counts.greetingsAnswered, counts.greetingsMet),
      },
      farewells: { ...said("farewell", 5), back: ratioOrNull(counts.farewellsAnswered, counts.farewellsMet) },
      fillers: said("filler", 8),
      openers: { share: ratio(speech.openings, owners), top: speech.openers.top(10), examples: examples.of("opener") },
      colloquial: said("colloquial", 8),
      phrases: {
        thanks: kinds.thanks.top(4),
        welcome: kinds.welcome.top(4),
        wellbeing: kinds.wellbeing.top(4),
        acknowledgement: kinds.acknowledgement.top(4),
        agreement: kinds.agreement.top(4),
        unsure: kinds.unsure.top(4),
      },
      functionWords: speech.functionWords
        .top(40)
        .map(({ text, count }) => ({ text, perMille: round((1000 * count) / speech.words) })),
      latin: { ...share("latin"), letters: ratio(marks.letters.latin, marks.letters.all) },
      typography: marks.typography(),
      replyDelay: turns.delays.size === 0 ? null : turns.delays.quartiles(),
      hours: timed === 0 ? null : hours.map((count) => round(count / timed)),
    };
  }

  return { add, result };
}

type MarkName =
  | "letterStart"
  | "lowerCaseStart"
  | "wordEnd"
  | "finalFullStop"
  | "exclamation"
  | "question"
  | "ellipsis"
  | "brackets"
  | "emoji"
  | "latin";

/** What is seen without reading words. */
class Marks {
  readonly counts: Record<MarkName, number> = {
    letterStart: 0,
    lowerCaseStart: 0,
    wordEnd: 0,
    finalFullStop: 0,
    exclamation: 0,
    question: 0,
    ellipsis: 0,
    brackets: 0,
    emoji: 0,
    latin: 0,
  };
  readonly brackets = new Tally();
  readonly emoji = new Tally();
  readonly letters = { latin: 0, all: 0 };
  readonly #spellings = { yo: [0, 0], longDash: [0, 0], guillemets: [0, 0] } as Record<
    "yo" | "longDash" | "guillemets",
    [number, number]
  >;

  add(text: string, examples: ExampleShelf): void {
    const note = (name: MarkName, seen: boolean) => {
      if (!seen) return;
      this.counts[name]++;
      examples.offer(name, text);
    };
    const first = text[0]!;
    const letter = first.toLowerCase() !== first.toUpperCase();
    if (letter) this.counts.letterStart++;
    note("lowerCaseStart", letter && first === first.toLowerCase());
    if (/[\p{L}\p{N}]$/u.test(text)) this.counts.wordEnd++;
    note("finalFullStop", /[^.]\.$/.test(text));
    note("exclamation", text.includes("!"));
    note("question", text.includes("?"));
    note("ellipsis", text.includes("…") || text.includes(".."));
    const brackets = bracketForms(text);
    note("brackets", brackets.length > 0);
    for (const form of brackets) this.brackets.add(form);
    const emoji = emojiIn(text);
    note("emoji", emoji.length > 0);
    for (const one of emoji) this.emoji.add(one);
    const letters = lettersOf(text);
    note("latin", letters.latin > 1);
    this.letters.latin += letters.latin;
    this.letters.all += letters.all;
    const pairs = typographyOf(text);
    for (const name of ["yo", "longDash", "guillemets"] as const) {
      this.#spellings[name][0] += pairs[name][0];
      this.#spellings[name][1] += pairs[name][1];
    }
  }

  typography(): StyleProfile["typography"] {
    const of = ([first, second]: [number, number]) => ratioOrNull(first, first + second);
    const { yo, longDash, guillemets } = this.#spellings;
    return { yo: of(yo), longDash: of(longDash), guillemets: of(guillemets) };
  }
}

/** What the words say. */
class Speech {
  readonly kinds: Record<PhraseKind, Tally> = {
    greeting: new Tally(),
    farewell: new Tally(),
    thanks: new Tally(),
    welcome: new Tally(),
    howAreYou: new Tally(),
    wellbeing: new Tally(),
    acknowledgement: new Tally(),
    agreement: new Tally(),
    unsure: new Tally(),
    filler: new Tally(),
    colloquial: new Tally(),
  };
  readonly counts = Object.fromEntries(Object.keys(this.kinds).map((kind) => [kind, 0])) as Record<PhraseKind, number>;
  readonly openers = new Tally();
  readonly functionWords = new Tally();
  readonly lengths = new Distribution();
  words = 0;
  openings = 0;
  #familiar = 0;
  #polite = 0;
  #addressed = 0;

  /** Whether the text opens with a greeting, and whether it ends with a farewell. */
  add(text: string, examples: ExampleShelf): { greets: boolean; parts: boolean } {
    const words = wordsOf(text);
    this.words += words.length;
    this.lengths.add(words.length);
    const met = new Set<PhraseKind>();
    for (const phrase of findPhrases(words)) {
      if (!counts(phrase, words.length)) continue;
      this.kinds[phrase.kind].add(phrase.text);
      met.add(phrase.kind);
    }
    for (const kind of met) {
      this.counts[kind]++;
      examples.offer(kind, text);
    }
    if (words.length > 1 && OPENERS.has(words[0]!)) {
      this.openings++;
      this.openers.add(words[0]!);
      examples.offer("opener", text);
    }
    for (const word of words) if (FUNCTION_WORDS.has(word)) this.functionWords.add(word);
    this.#addAddress(text, words, examples);
    return { greets: met.has("greeting"), parts: met.has("farewell") };
  }

  #addAddress(text: string, words: string[], examples: ExampleShelf): void {
    const { familiar, polite } = addressIn(words);
    if (!familiar && !polite) return;
    this.#addressed++;
    if (familiar) {
      this.#familiar++;
      examples.offer("familiar", text);
    }
    if (polite) {
      this.#polite++;
      examples.offer("polite", text);
    }
  }

  address(examples: ExampleShelf): StyleProfile["address"] {
    const familiar = ratioOrNull(this.#familiar, this.#familiar + this.#polite);
    const prefers = familiar === null ? null : familiar >= 0.8 ? "ты" : familiar <= 0.2 ? "вы" : "mixed";
    const shown = { familiar: examples.of("familiar"), polite: examples.of("polite") };
    return { addressed: this.#addressed, familiar, prefers, examples: shown };
  }
}

/** Inside a longer text «хорошо» is no answer and «пока» no farewell: set phrases count at the edges only. */
function counts(phrase: FoundPhrase, words: number): boolean {
  const atStart = phrase.at <= 1;
  const atEnd = phrase.at + phrase.length >= words - 1;
  if (phrase.kind === "filler" || phrase.kind === "colloquial") return true;
  if (phrase.kind === "greeting") return atStart;
  if (phrase.kind === "farewell") return atEnd && (words <= 6 || phrase.length > 1);
  return (atStart || atEnd) && words <= phrase.length + 4;
}

const round = (value: number) => Math.round(value * 1e4) / 1e4;
const ratio = (part: number, whole: number) => (whole === 0 ? 0 : round(part / whole));
const ratioOrNull = (part: number, whole: number) => (whole === 0 ? null : round(part / whole));
