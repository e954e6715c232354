import {
  classifyPastedLines,
  headOf,
  type PastedLine,
  speechOf,
  timestampOf,
} from "#contract/conversations/pasted-lines.ts";
import { localClock, parseStamp } from "../wall-clock-time.ts";

export interface PastedTurn {
  role: "user" | "assistant";
  content: string;
  /** Text without time and speaker's label, as used for training. */
  speech: string;
  /** Time of the line, else of the latest line that has one, else the time sent with the conversation, else null. */
  sentAt: Date | null;
}

interface PastedContext {
  /** Participants' names, whose labels are removed. If none occurs, see `knownLabels`. */
  participants?: readonly string[];
  /** IANA time zone of pasted times; "Europe/Moscow" by default. */
  timeZone?: string;
}

/** Parses lines already classified by the upload form, in order. Lines without text are left out. */
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

export function parseChatHistory(chatHistory: string, context?: PastedContext): PastedTurn[] {
  return parsePastedLines(classifyPastedLines(chatHistory), context);
}

/**
 * Returns the labels to remove. If a participant's label occurs, full or as a first name, it is the only one, so «Итого: 500» stays
 * speech. Otherwise it is anything that looks like a name and works as a label: after a time, or on several or all lines of one side. A
 * prefix of a single line stays speech («Заказ ждёт обжарки: жарим завтра»).
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
