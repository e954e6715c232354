// A pasted conversation as it arrives → what was said, by whom, when.
import {
  classifyPastedLines,
  headOf,
  type PastedLine,
  speechOf,
  timestampOf,
} from "#contract/conversations/pasted-lines.ts";
import { localClock, parseStamp } from "../local-time.ts";

export interface PastedTurn {
  role: "user" | "assistant";
  /** The line as pasted. */
  content: string;
  /** The text without time and speaker's label, as used for training. */
  speech: string;
  /** The line's own time, otherwise the time of the last line that had one, otherwise the time sent with the conversation, otherwise null. */
  sentAt: Date | null;
}

interface PastedContext {
  /** Names of the participants, whose labels are removed. Where none of them occurs, see `knownLabels`. */
  participants?: readonly string[];
  /** IANA time zone of pasted times; "Europe/Moscow" by default. */
  timeZone?: string;
}

/** Parses lines that are already classified, as the upload sends them, in order. Lines without text are left out. */
export function parsePastedLines(
  lines: readonly (PastedLine & { timestamp?: string | undefined })[],
  { participants = [], timeZone = "Europe/Moscow" }: PastedContext = {},
): PastedTurn[] {
  const clock = localClock(timeZone);
  const names = knownLabels(lines, participants);
  const turns: PastedTurn[] = [];
  let last: Date | null = null;
  for (const { role, content, timestamp } of lines) {
    const stamp = timestampOf(content);
    if (stamp) last = clock(parseStamp(stamp)) ?? last;
    const speech = speechOf(content, names);
    if (speech === "") continue;
    turns.push({ role, content, speech, sentAt: last ?? (timestamp ? new Date(timestamp) : null) });
  }
  return turns;
}

/** Parses the pasted text itself. */
export function parseChatHistory(chatHistory: string, context?: PastedContext): PastedTurn[] {
  return parsePastedLines(classifyPastedLines(chatHistory), context);
}

/**
 * The labels to cut off. A participant's own label, where it occurs, is the only one, so «Итого: 500» is known to be speech; first names
 * count: the form asks «Анна Петрова», the paste says «Анна». Else whatever looks like a name, where it labels: after a time, on several
 * lines of one side or on all of them. What a single line begins with is speech («Заказ ждёт обжарки: жарим завтра»).
 */
function knownLabels(lines: readonly PastedLine[], participants: readonly string[]): string[] {
  const names = [...new Set(participants.flatMap((name) => [name.trim(), name.trim().split(/\s+/)[0] ?? ""]))].filter(
    (name) => name !== "",
  );
  const occurs = lines.some(({ content }) => speechOf(content, names) !== speechOf(content, []));
  return occurs ? names : [...Map.groupBy(lines, ({ role }) => role).values()].flatMap(labelsOf);
}

/** @param lines of one side */
function labelsOf(lines: readonly PastedLine[]): string[] {
  const labelled = lines.flatMap(({ content }) => {
    const name = headOf(content)?.name;
    return name === undefined ? [] : [{ name, timed: speechOf(content, []) !== content.trim() }];
  });
  const all = labelled.length === lines.length;
  return [...Map.groupBy(labelled, ({ name }) => name)].flatMap(([name, uses]) =>
    all || uses.length > 1 || uses.some(({ timed }) => timed) ? [name] : [],
  );
}
