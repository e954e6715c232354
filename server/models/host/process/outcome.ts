import type { TaskAnswer } from "../protocol.ts";

type Bare<T> = T extends unknown ? Omit<T, "id"> : never;
export type TaskOutcome = Bare<Exclude<TaskAnswer, { kind: "delta" }>>;
