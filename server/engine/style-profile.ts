/** Measures how an owner writes, one message at a time: a million messages need no array. */
import type { StyleProfile } from "#contract/quality.ts";
import type { PhraseKind } from "./lexicon.ts";
import { Distribution, ExampleShelf, ratio, ratioOrNull, round } from "./style-counters.ts";
import { type MarkName, Marks } from "./style-marks.ts";
import { Speech } from "./style-speech.ts";
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
