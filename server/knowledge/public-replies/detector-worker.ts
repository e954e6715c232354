/** Runs in a worker thread, because comparing a hundred thousand replies takes seconds and must not block the event loop. */
import { parentPort } from "node:worker_threads";
import { lowerPriorityOfThread } from "#server/platform/process/low-priority.ts";
import { Detector, type PairPage } from "./detector.ts";
import type { CandidatePair } from "./recurring.ts";

export type DetectorCall =
  | { add: PairPage }
  | { choose: true }
  /** Sets of pairs with similar replies. */
  | { describe: CandidatePair[][] };

lowerPriorityOfThread();

const detector = new Detector();

parentPort!.on("message", (call: DetectorCall) => {
  if ("add" in call) {
    detector.add(call.add);
    parentPort!.postMessage(null);
  } else if ("choose" in call) parentPort!.postMessage(detector.choose());
  else parentPort!.postMessage(detector.describe(call.describe));
});
