import fc from "fast-check";
import { debounceTimes } from "#server/inbox/conversation-control/debounce.ts";
import { SORTING } from "#server/inbox/unanswered/unanswered.ts";
import { TIMES } from "#server/models/host/host-times.ts";

// Beside five busy workers a model's process that gives way to all of them would be taken for a dead one.
Object.assign(TIMES, { priority: 0, silentMs: 60_000, nextTokenMs: 60_000 });

// Most answers would be waited for longer than they take. Who tests that messages are answered together holds the burst open
// (server/test/channels/burst.ts).
Object.assign(debounceTimes, { longestMs: 500, shortestMs: 80, usualMs: 150 });
Object.assign(SORTING, { afterMs: 200 });

// The same cases in every run: a red property is the fault of the change at hand. FC_SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_121) });
