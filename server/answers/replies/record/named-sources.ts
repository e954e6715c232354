/** The sources that a model's record names by their numbers; a number without a source names nothing. */
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { RecordedAnswer, Source } from "../recorded-answer.ts";

const namedSources = ({ record, prompt }: Pick<RecordedAnswer, "record" | "prompt">): Source[] =>
  record.sources.flatMap((number) => prompt.sources[number - 1] ?? []);

export const namedChunks = (answer: Pick<RecordedAnswer, "record" | "prompt">): ReplyChunk[] =>
  namedSources(answer).flatMap(({ chunk }) => chunk ?? []);

/** Whether the answer rests on the owner's correction of this question, which a model may find to be of another subject. */
export const namesCorrection = (answer: Pick<RecordedAnswer, "record" | "prompt">): boolean =>
  namedSources(answer).some(({ isCorrection }) => isCorrection === true);
