/**
 * A fake process of speech recognition that misbehaves as its model's path tells it: it ends, stays silent, says nonsense or takes no memory
 * for granted. By default it decodes the recording as the real one does and says for each piece how many seconds it has heard.
 */
import { AudioProblem } from "#server/models/media/speech/audio/audio-problem.ts";
import { decodeAudio } from "#server/models/media/speech/audio/decode.ts";
import { SAMPLE_RATE } from "#server/models/media/speech/audio/samples.ts";
import { windowsOf } from "#server/models/media/speech/audio/windows.ts";
import type { SpeechLoad, TranscribeTask } from "#server/models/media/speech/protocol.ts";

let act = "";
const held: Buffer[] = [];
const say = (message: unknown) => process.send?.(message);

process.on("disconnect", () => process.exit(0));
setInterval(() => act !== "silent" && say({ kind: "alive" }), 100);
process.on("message", (message: SpeechLoad | (TranscribeTask & { id: number }) | { kind: "cancel" }) => {
  if (message.kind === "cancel") return;
  if (message.kind === "transcribe") void transcribe(message);
  else {
    act = message.model.tokens;
    if (act === "missing") say({ kind: "unable", missing: true, detail: "" });
    else say({ kind: "ready", facts: { threads: 1 } });
  }
});

async function transcribe({ id, source, maxSeconds }: TranscribeTask & { id: number }): Promise<void> {
  if (act === "ends") process.exit(3);
  if (act === "nonsense") say({ kind: "part", id, text: 7 });
  if (act === "grows") for (let at = 0; at < 60; at++) held.push(Buffer.alloc(20 * 1024 ** 2, 1));
  if (act !== "") return;
  try {
    const bytes = "bytes" in source ? Buffer.from(source.bytes) : Buffer.alloc(0);
    const samples = await decodeAudio(bytes, maxSeconds, new AbortController().signal);
    say({ kind: "decoded", id, seconds: samples.length / SAMPLE_RATE });
    for (const { from, to } of windowsOf(samples)) {
      const text = `услышано ${((to - from) / SAMPLE_RATE).toFixed(1)}`;
      const times = { from: from / SAMPLE_RATE, to: to / SAMPLE_RATE };
      say({ kind: "part", id, ...times, text, confidence: null, language: "" });
    }
    say({ kind: "done", id });
  } catch (error) {
    const reason = error instanceof AudioProblem ? error.reason : "damaged";
    say({ kind: "unheard", id, reason });
  }
}
