/** Measures how an owner writes, message by message, so that a million messages need not be in memory. */
import type { StyleProfile } from "#contract/quality.ts";
import { findPhrases, type PhraseKind, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { SelfSigns } from "./self/self-signs.ts";
import { Distribution, RecentExamples, ratio, ratioOrNull, round } from "./style-counters.ts";
import { type MarkName, Marks } from "./style-marks.ts";
import { Speech } from "./style-speech.ts";
import { TurnTracker } from "./style-turns.ts";

const SET_PHRASES = 24;

/** Which hours and delays are shown is known only at the end, so examples are kept for all; delays in steps of a factor of four. */
const hourHabit = (hour: number) => `hour ${hour}`;
const delayHabit = (seconds: number) => `delay ${Math.floor(Math.log2(seconds + 1) / 2)}`;

export interface StyleMessage {
  text: string;
  /** Null when the export has no timestamps. */
  sentAt: Date | null;
  fromOwner: boolean;
  chatId: string | number;
  /** Whether the words were heard in a recording. */
  said?: boolean;
}

export function measureStyle(messages: Iterable<StyleMessage>, utcOffsetMinutes?: number): StyleProfile {
  const accumulator = new StyleAccumulator(utcOffsetMinutes);
  for (const message of messages) accumulator.add(message);
  return accumulator.result();
}

export class StyleAccumulator {
  readonly #utcOffsetMinutes: number;
  readonly #turns = new TurnTracker();
  readonly #marks = new Marks();
  readonly #speech = new Speech();
  readonly #self = new SelfSigns();
  readonly #lengths = new Distribution();
  readonly #examples = new RecentExamples();
  readonly #hours = new Array<number>(24).fill(0);
  #owners = 0;
  /** Number of spoken messages; they count for words but not for typing habits. */
  #said = 0;
  #timed = 0;

  /** @param utcOffsetMinutes of the owner's clock, for the hours; default: Moscow */
  constructor(utcOffsetMinutes = 180) {
    this.#utcOffsetMinutes = utcOffsetMinutes;
  }

  get messages(): number {
    return this.#owners;
  }

  /** Messages of one chat must be added in order; chats may interleave. */
  add(message: StyleMessage): void {
    const text = message.text.trim();
    if (text === "") return;
    const time = message.sentAt?.getTime() ?? Number.NaN;
    const at = Number.isNaN(time) ? null : time;
    if (!message.fromOwner) {
      this.#turns.addIncoming(message.chatId, text, at);
      return;
    }
    if (message.said === true) {
      this.#said++;
      this.#speech.addSaid(text, this.#turns.occasionOf(message.chatId, at));
      this.#self.addSaid(text);
      this.#turns.passOwners(message.chatId, at);
      return;
    }
    this.#owners++;
    if (at !== null) {
      this.#timed++;
      const clock = new Date(at + this.#utcOffsetMinutes * 60_000);
      const hour = clock.getUTCHours();
      this.#hours[hour]!++;
      this.#examples.offer(hourHabit(hour), text, 60 * hour + clock.getUTCMinutes());
    }
    this.#lengths.add(text.length);
    this.#examples.offer("length", text);
    this.#marks.add(text, this.#examples);
    const occasion = this.#turns.occasionOf(message.chatId, at);
    const words = wordsOf(text);
    const read = { words, phrases: findPhrases(words) };
    this.#self.add(text, read, occasion, this.#examples);
    const { greets, parts } = this.#speech.add(text, read, occasion, this.#examples);
    const { place, delay } = this.#turns.addOwners(message.chatId, text, at, greets, parts);
    if (place === 2) this.#examples.offer("turn", text);
    if (delay !== null) this.#examples.offer(delayHabit(delay), text, delay);
  }

  /** Declares that everything added so far was sent to one person, so that words sent to several people can be counted. */
  ofOnePerson(): void {
    this.#marks.ofOnePerson();
    this.#speech.ofOnePerson();
    this.#self.ofOnePerson();
  }

  /** Adds the other accumulator's data; the two must have no chat in common. */
  join(other: StyleAccumulator): void {
    this.#turns.join(other.#turns);
    this.#marks.join(other.#marks);
    this.#speech.join(other.#speech);
    this.#self.join(other.#self);
    this.#lengths.join(other.#lengths);
    this.#examples.join(other.#examples);
    for (let hour = 0; hour < 24; hour++) this.#hours[hour]! += other.#hours[hour]!;
    this.#owners += other.#owners;
    this.#said += other.#said;
    this.#timed += other.#timed;
  }

  result(): StyleProfile {
    const [turns, marks, speech] = [this.#turns, this.#marks, this.#speech];
    const [lengths, examples, hours] = [this.#lengths, this.#examples, this.#hours];
    const [owners, timed] = [this.#owners, this.#timed];
    const worded = owners + this.#said;
    const { counts, sentences, characters } = turns.result();
    const habit = { brackets: marks.brackets.top(5), emoji: marks.emoji.top(8) };
    const share = (name: MarkName) => ({ share: ratio(marks.counts[name], owners), examples: examples.of(name) });
    const kinds = speech.kinds;
    const said = (kind: PhraseKind, limit: number) => ({
      share: ratio(speech.counts[kind], worded),
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
      length: {
        ...lengths.quartiles(),
        words: speech.lengths.quantile(0.5),
        mostWords: speech.lengths.quantile(0.9),
        examples: examples.of("length"),
      },
      lowerCaseStart: {
        ...share("lowerCaseStart"),
        share: ratio(marks.counts.lowerCaseStart, marks.counts.letterStart),
        of: marks.counts.letterStart,
      },
      finalFullStop: {
        ...share("finalFullStop"),
        share: ratio(marks.counts.finalFullStop, marks.counts.finalFullStop + marks.counts.wordEnd),
        of: marks.counts.finalFullStop + marks.counts.wordEnd,
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
        of: counts.first,
        back: ratioOrNull(counts.greetingsAnswered, counts.greetingsMet),
      },
      farewells: { ...said("farewell", 5), back: ratioOrNull(counts.farewellsAnswered, counts.farewellsMet) },
      fillers: said("filler", 8),
      openers: { share: ratio(speech.openings, worded), top: speech.openers.top(10), examples: examples.of("opener") },
      colloquial: said("colloquial", 8),
      self: this.#self.result(examples),
      typos: {
        share: ratio(speech.misspellings, owners),
        top: speech.misspelt.top(8),
        examples: examples.of("typos"),
        mended: { share: ratio(speech.mended, owners), examples: examples.of("mended") },
      },
      phrases: {
        thanks: kinds.thanks.top(4),
        welcome: kinds.welcome.top(4),
        wellbeing: kinds.wellbeing.top(4),
        acknowledgement: kinds.acknowledgement.top(4),
        agreement: kinds.agreement.top(4),
        unsure: kinds.unsure.top(4),
      },
      setPhrases: {
        greeting: speech.setPhrases.greeting.top(SET_PHRASES),
        farewell: speech.setPhrases.farewell.top(SET_PHRASES),
        welcome: speech.setPhrases.welcome.top(SET_PHRASES),
        acknowledgement: speech.setPhrases.acknowledgement.top(SET_PHRASES),
        unsure: speech.setPhrases.unsure.top(SET_PHRASES),
        deferral: speech.setPhrases.deferral.top(SET_PHRASES),
      },
      functionWords: speech.functionWords
        .top(40)
        .map(({ text, count }) => ({ text, perMille: round((1000 * count) / speech.words) })),
      latin: { ...share("latin"), letters: ratio(marks.letters.latin, marks.letters.all) },
      typography: marks.typography(),
      replyDelay: turns.delays.size === 0 ? null : turns.delays.quartiles(),
      hours: timed === 0 ? null : hours.map((count) => round(count / timed)),
      further: {
        functionWords: examples.of("functionWords"),
        typography: examples.of("typography"),
        replyDelay: examples
          .withValues(delayHabit(turns.delays.quantile(0.5)))
          .map(({ text, value }) => ({ text, seconds: value })),
        hours: examples
          .withValues(hourHabit(hours.indexOf(Math.max(...hours))))
          .map(({ text, value }) => ({ text, minutes: value })),
      },
    };
  }
}
