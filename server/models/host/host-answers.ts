import { ModelFailure, TooLong } from "./failures.ts";
import type { HostProcess } from "./host-process.ts";
import type { HostTask, TaskAnswer } from "./protocol.ts";

interface Patience {
  signal: AbortSignal;
  /** Milliseconds to wait for the next answer before the process is killed. */
  patience(): number;
  worked(): void;
}

/** Yields the process's answers to a task. @throws TooLong, ModelFailure; the signal's reason */
export async function* answersOf(
  host: HostProcess,
  task: HostTask,
  { signal, patience, worked }: Patience,
): AsyncGenerator<TaskAnswer, void, void> {
  const answers = host.ask(task, signal);
  try {
    for (;;) {
      const hung = setTimeout(() => host.end("hung", `${task.kind}: no answer`), patience());
      const next = await answers.next().finally(() => clearTimeout(hung));
      if (next.done) return;
      const answer = next.value;
      if (answer.kind === "too-long") throw new TooLong(answer.tokens, answer.room);
      if (answer.kind === "failed" || answer.kind === "cancelled") {
        throw new ModelFailure("refused", answer.kind === "failed" ? answer.detail : "cancelled");
      }
      worked();
      yield answer;
    }
  } finally {
    await answers.return();
  }
}
