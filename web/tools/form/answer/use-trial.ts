import { useState } from "react";
import type { ToolInput, ToolTrial, TrialInput } from "#contract/actions/tools.ts";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { useTryTool } from "../../queries.ts";
import { trialKey, tried } from "./trial-outcome.ts";

interface ToolTrialState {
  busy: boolean;
  error: unknown;
  /** Of the call as it is now; undefined: none was tried yet. */
  result: ToolTrial | undefined;
  /** Which of the trials it is; another one begins with its own folds. */
  id: number;
  /** Whether the call was changed since, so that its former result says nothing. */
  isStale: boolean;
  /** The last answer that came, of whatever call. */
  answer: ToolTrial | undefined;
  run: (sample: TrialInput) => void;
}

interface Tried {
  twinId: string;
  toolId: string | undefined;
  /** The tool as the form has it now. */
  input: ToolInput;
  /** What it is called while its owner has not named it. */
  title: string;
  onBegin: () => void;
  /** @param show shows what belongs to no field */
  onError: (error: unknown, show: (error: unknown) => void) => void;
}

/** «Проверить» of the tool that the form holds; the result is shown only while the call is the same. */
export function useTrial({ twinId, toolId, input, title, onBegin, onError }: Tried): ToolTrialState {
  const trial = useTryTool(twinId);
  const [key, setKey] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const now = trialKey(input);
  const run = useSingleFlight(async (sample: TrialInput) => {
    onBegin();
    setError(null);
    setKey(now);
    await trial
      .mutateAsync({ toolId, tool: tried(input, title), sample })
      .catch((failure: unknown) => onError(failure, setError));
  });
  const isSame = key === now;
  return {
    busy: trial.isPending,
    error: isSame ? error : null,
    result: isSame ? trial.data : undefined,
    id: trial.submittedAt,
    isStale: !isSame && trial.data !== undefined,
    answer: trial.data,
    run: (sample) => void run(sample),
  };
}
