/** Runs sherpa-onnx with a model: turns one window of sound into text. */
import type { SpeechModel } from "#server/models/local/speech-folder.ts";
import { SAMPLE_RATE } from "../audio/samples.ts";

interface Heard {
  text: string;
  /** Mean likelihood of the chosen tokens; null: this kind of model reports none. */
  confidence: number | null;
  language: string;
}

export type Recognizer = (samples: Float32Array) => Promise<Heard>;

/** The part of sherpa-onnx-node that we use; its own types do not cover the results. */
interface Sherpa {
  OfflineRecognizer: {
    createAsync(config: object): Promise<{
      createStream(): { acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void };
      decodeAsync(stream: object): Promise<Result>;
    }>;
  };
}

interface Result {
  text: string;
  lang?: string;
  ys_log_probs?: readonly number[];
}

const MAX_TEXT = 20_000;

/** @throws the library's errors for files that are not such a model, and when it is not installed */
export async function loadRecognizer(model: SpeechModel, threads: number): Promise<Recognizer> {
  const { OfflineRecognizer } = await loadSherpa();
  const recognizer = await OfflineRecognizer.createAsync({
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: model.kind === "whisper" ? 80 : 64 },
    modelConfig: { ...configOf(model), tokens: model.tokens, numThreads: threads, provider: "cpu", debug: 0 },
  });
  return async (samples) => {
    const stream = recognizer.createStream();
    // A copy is needed, because the add-on reads the whole buffer below a view.
    stream.acceptWaveform({ sampleRate: SAMPLE_RATE, samples: samples.slice() });
    const { text, lang = "", ys_log_probs: likelihoods = [] } = await recognizer.decodeAsync(stream);
    return {
      text: text.trim().slice(0, MAX_TEXT),
      confidence: meanLikelihood(likelihoods),
      language: /^[a-z]{2,3}$/.test(lang) ? lang : "",
    };
  };
}

/** Loads the optional library. Its name is in a variable, so that the compiler does not require it. */
async function loadSherpa(): Promise<Sherpa> {
  const name = "sherpa-onnx-node";
  const { default: sherpa } = (await import(name)) as { default: Sherpa };
  return sherpa;
}

function configOf(model: SpeechModel): object {
  if (model.kind === "ctc") return { nemoCtc: { model: model.model } };
  const { encoder, decoder } = model;
  if (model.kind === "transducer")
    return { transducer: { encoder, decoder, joiner: model.joiner }, modelType: "nemo_transducer" };
  return { whisper: { encoder, decoder, language: "", task: "transcribe", tailPaddings: -1 } };
}

function meanLikelihood(logs: readonly number[]): number | null {
  if (logs.length === 0 || !logs.every(Number.isFinite)) return null;
  const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  return Math.max(0, Math.min(1, mean));
}
