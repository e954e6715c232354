/**
 * Has a capable model answer with a record: written, checked by code, verified by a second call, repaired at most once, then sent whole or
 * held whole (docs/decisions/040-answer-records.md). Knows nothing of a model's protocol or price.
 */
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { addSpanAttributes } from "#server/platform/process/tracing.ts";
import type { AnswerRecord, Attempt, RecordedAnswer, RecordFault, RecordPrompt, Verdict } from "../recorded-answer.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { parseRecord } from "./answer-record.ts";
import { checkRecord } from "./check-record.ts";
import { complaintAbout } from "./complaint.ts";
import { buildRecordPrompt } from "./record-prompt.ts";
import { buildVerifierPrompt, parseVerdict, sentencesOf } from "./verifier.ts";

export interface Written {
  text: string;
  /** Whether the model was stopped at the length limit. */
  cut: boolean;
}

export interface RecordCalls {
  /** @throws whatever the model's call throws */
  write(prompt: Pick<RecordPrompt, "system" | "messages">): Promise<Written>;
  /** Returns null when no verifier may be asked. @throws whatever the model's call throws */
  verify(prompt: Pick<RecordPrompt, "system" | "messages">): Promise<Written | null>;
}

/** The model returned something else than a record, in its words. */
export interface NoRecord {
  plain: Written;
}

/** Code words the reply to what the model has proposed to call. */
export interface ScriptedAnswer {
  scripted: string;
}

export async function answerByRecord(
  request: ReplyRequest,
  room: number,
  { write, verify }: RecordCalls,
): Promise<RecordedAnswer | NoRecord | ScriptedAnswer> {
  let prompt = buildRecordPrompt(request, room);
  let first = await write(prompt);
  let begun = read(request, prompt, first);
  if (begun !== null && (await findsMore(request, prompt, begun.record))) {
    prompt = buildRecordPrompt(request, room);
    first = await write(prompt);
    begun = read(request, prompt, first);
  }
  const { tools } = request;
  while (tools !== undefined && begun?.record.call !== undefined && tools.mayCall) {
    await tools.propose(begun.record.call);
    if (tools.script !== null) return { scripted: tools.script.text };
    prompt = buildRecordPrompt(request, room);
    first = await write(prompt);
    begun = read(request, prompt, first);
  }
  if (begun === null) return { plain: first };
  let verdict: Verdict | null = null;
  let complaint = complaintAbout(begun.faults, { purpose: request.twin.purpose });
  if (complaint === "" && needsVerdict(request, begun)) {
    verdict = await verified(request, prompt, begun.record, verify);
    if (verdict !== null) complaint = complaintOfVerdict(request, begun.record, verdict);
  }
  addSpanAttributes({ "reply.faults": begun.faults.length, "reply.verified": verdict !== null });
  if (complaint === "") return judged(request, begun, { verdict, repaired: false, before: null, prompt });
  const before = { ...begun, verdict };
  const again = read(
    request,
    prompt,
    await write({
      system: prompt.system,
      messages: [...prompt.messages, { role: "assistant", content: first.text }, { role: "user", content: complaint }],
    }),
  );
  // The faults of the first answer hold where the second is none.
  if (again === null) return judged(request, begun, { verdict, repaired: true, before, prompt });
  const second =
    again.faults.length === 0 && needsVerdict(request, again)
      ? await verified(request, prompt, again.record, verify)
      : null;
  return judged(request, again, { verdict: second, repaired: true, before, prompt });
}

/** A promise that no verifier has looked at counts as one that the owner has not made. */
function judged(
  request: ReplyRequest,
  begun: Attempt,
  rest: Pick<RecordedAnswer, "verdict" | "repaired" | "before" | "prompt">,
): RecordedAnswer {
  const { faults, checked } = begun;
  const unverified = rest.verdict === null && needsVerdict(request, begun);
  return { ...begun, ...rest, unverified, faults: rest.verdict === null ? [...faults, ...checked.promises] : faults };
}

/** Chunks that one second look adds at most. */
const MORE_CHUNKS = 8;

/** Looks once for what the model has not found among the sources shown. @returns whether there is anything new */
async function findsMore(
  { chunks, secondLook }: ReplyRequest,
  prompt: RecordPrompt,
  record: AnswerRecord,
): Promise<boolean> {
  const leavesOpen = record.kind === "unknown" || record.kind === "partly";
  // A prompt that was rejected as too long is written anew, with what the look has found.
  const mayLook = prompt.isPartial && leavesOpen && secondLook?.chunks.length === 0;
  if (!mayLook || record.search.trim() === "") return false;
  const shown = new Set(chunks.map(({ id }) => id));
  const found = (await secondLook.find(record.search)).filter(({ id }) => !shown.has(id));
  secondLook.chunks.push(...found.slice(0, MORE_CHUNKS));
  return found.length > 0;
}

function read(request: ReplyRequest, prompt: RecordPrompt, { text, cut }: Written): Attempt | null {
  const parsed = parseRecord(text);
  if (parsed === null) return null;
  const record = withoutLateCall(request, parsed);
  const checked = checkRecord(request, record, [prompt.fence]);
  const torn: RecordFault[] = cut ? [{ kind: "cut", pieces: [], sentence: "" }] : [];
  return { record, checked, faults: [...checked.faults, ...torn] };
}

/** A call that nobody makes any more leaves what was said, or nothing. */
function withoutLateCall({ tools }: ReplyRequest, record: AnswerRecord): AnswerRecord {
  if (record.call === undefined || tools?.mayCall === true) return record;
  const { call: _, ...rest } = record;
  return rest.messages.length === 0 ? { ...rest, kind: "unknown" } : rest;
}

/** Everything is verified but set phrases: even a reply to thanks may promise something that nobody has promised. */
function needsVerdict({ message }: ReplyRequest, { record }: Attempt): boolean {
  if (record.kind === "unknown" || message.trim() === "") return false;
  return record.kind !== "remark" || sentencesOf(record).some((sentence) => smallTalkOf(sentence) === null);
}

async function verified(
  request: ReplyRequest,
  prompt: RecordPrompt,
  record: AnswerRecord,
  verify: RecordCalls["verify"],
): Promise<Verdict | null> {
  const written = await verify(buildVerifierPrompt(request, prompt, record));
  return written === null ? null : parseVerdict(written.text);
}

function complaintOfVerdict(
  { twin: { purpose } }: ReplyRequest,
  record: AnswerRecord,
  { unsupported, fault, covers }: Verdict,
): string {
  const sentences = sentencesOf(record);
  const pieces = unsupported.flatMap((at) => sentences[at] ?? []);
  if (pieces.length > 0)
    return complaintAbout([{ kind: "unsupported", pieces, sentence: pieces[0]! }], { why: fault, purpose });
  // A friend who asks what only the owner knows gets a light phrase on purpose.
  const isDeflection = purpose === "friends" && record.kind === "act";
  return covers === "none" && !isDeflection ? complaintAbout([], { why: "он отвечает не на то, что спросили" }) : "";
}
