import type { TaskAnswer } from "../protocol.ts";

type Bare<T> = T extends unknown ? Omit<T, "id"> : never;
/** The result of a task, without the task's id. */
export type Outcome = Bare<Exclude<TaskAnswer, { kind: "delta" }>>;
