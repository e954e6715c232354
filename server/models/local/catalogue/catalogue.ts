/**
 * Models that the screen «Модель» offers. Sizes and licences are from the models' public cards (`source`), quality figures from the pages
 * that each figure names. A download takes the file's exact size and checksum from the hub.
 */
import type { ModelKind, QualityFigure } from "#contract/models/local-models.ts";

export interface CatalogueModel {
  /** Never changes, because database rows refer to it. */
  id: string;
  kind: ModelKind;
  name: string;
  /** What the model is good for, in words for users who do not know models; `aboutOf` adds a warning. */
  about: string;
  licence: string;
  /** URL of the model card that size and licence are from. */
  source: string;
  /** Quality of the unquantised model as published; empty when a search of public pages found no readable figures. */
  figures: readonly QualityFigure[];
  /** Parameters in billions; `activeParameters`: those used for one token. */
  parameters: number;
  activeParameters: number;
  /** Approximate size of the model's file. */
  bytes: number;
  repo: string;
  /** For a model in one file: the end of the file's name on the hub. */
  quantisation?: string;
  /** For a model in several files: names on the hub, keyed by our names. */
  parts?: Readonly<Record<string, string>>;
}

const GB = 1e9;
const card = (repo: string) => `https://huggingface.co/${repo}`;

const READ = "2026-11-24";

/** Share of answers that a judging model prefers, as the authors of QVikhr publish it; `source` repeats their cards. */
const arena = (value: string, model: string): QualityFigure => ({
  benchmark: "Ru Arena General, ответы на русском, балл до 100",
  value,
  source: `https://featherless.ai/models/Vikhrmodels/${model}`,
  date: READ,
});

/** RuBQ: finds the right paragraph among the first ten, scored higher the higher it ranks. */
const rubq = (value: string, path: string): QualityFigure => ({
  benchmark: "RuBQ, поиск абзаца с ответом на русском, nDCG@10 до 1",
  value,
  source: `https://github.com/embeddings-benchmark/results/blob/${path}/RuBQRetrieval.json`,
  date: READ,
});

/** Word error rate in per cent, averaged over five collections, as the model's card gives it. */
const misheard = (value: string): QualityFigure => ({
  benchmark: "Ошибочных слов по-русски, среднее пяти наборов без знаков препинания, меньше — лучше",
  value,
  source: card("ai-sage/GigaAM-v3"),
  date: "2026-11-25",
});
/** Small models misread documents (docs/decisions/026-answer-verification.md), which users who do not know models must learn. */
const FACTS_ARE_FOUND = "Модель небольшая: факты за неё находит поиск по документам";
/** Billions of parameters. Models up to 1.5B were measured; the next larger ones in use have 4B. */
const READS_FROM = 3;
/** Whether the model can extract facts from documents (docs/decisions/026-answer-verification.md). */
export const canExtractFacts = ({ kind, parameters }: Pick<CatalogueModel, "kind" | "parameters">): boolean =>
  kind === "chat" && parameters >= READS_FROM;

/** Returns what the model is good for, with a warning for a small generating model. */
export const aboutOf = (model: Pick<CatalogueModel, "kind" | "parameters" | "about">): string =>
  model.kind === "chat" && !canExtractFacts(model) ? `${model.about}. ${FACTS_ARE_FOUND}` : model.about;

/** Search models are ordered by quality: the first that a machine can run is recommended. */
export const CATALOGUE: readonly CatalogueModel[] = [
  {
    id: "qwen3-0.6b",
    kind: "chat",
    name: "Qwen3 0.6B",
    about: "Самая лёгкая, для слабого компьютера",
    licence: "Apache-2.0",
    source: card("Qwen/Qwen3-0.6B"),
    figures: [],
    parameters: 0.6,
    activeParameters: 0.6,
    bytes: 0.64 * GB,
    repo: "Qwen/Qwen3-0.6B-GGUF",
    quantisation: "Q8_0",
  },
  {
    id: "qvikhr-3-1.7b",
    kind: "chat",
    name: "QVikhr-3 1.7B",
    about: "Дообучена на русском, для обычного компьютера",
    licence: "Apache-2.0",
    source: card("Vikhrmodels/QVikhr-3-1.7B-Instruction-noreasoning"),
    figures: [arena("59,2", "QVikhr-3-1.7B-Instruction-noreasoning")],
    parameters: 1.7,
    activeParameters: 1.7,
    bytes: 1.1 * GB,
    repo: "Vikhrmodels/QVikhr-3-1.7B-Instruction-noreasoning-GGUF",
    quantisation: "Q4_K_M",
  },
  {
    id: "qwen3-1.7b",
    kind: "chat",
    name: "Qwen3 1.7B",
    about: "Знает много языков, для обычного компьютера",
    licence: "Apache-2.0",
    source: card("Qwen/Qwen3-1.7B"),
    figures: [arena("49,7", "QVikhr-3-1.7B-Instruction-noreasoning")],
    parameters: 1.7,
    activeParameters: 1.7,
    bytes: 1.28 * GB,
    repo: "bartowski/Qwen_Qwen3-1.7B-GGUF",
    quantisation: "Q4_K_M",
  },
  {
    id: "qwen3-4b",
    kind: "chat",
    name: "Qwen3 4B",
    about: "Заметно точнее, но нужен быстрый компьютер",
    licence: "Apache-2.0",
    source: card("Qwen/Qwen3-4B"),
    figures: [arena("64,8", "QVikhr-3-4B-Instruction/readme")],
    parameters: 4,
    activeParameters: 4,
    bytes: 2.5 * GB,
    repo: "Qwen/Qwen3-4B-GGUF",
    quantisation: "Q4_K_M",
  },
  {
    id: "t-lite-it-2.1",
    kind: "chat",
    name: "T-lite-it 2.1 8B",
    about: "Сильный русский; для сервера с восемью ядрами и больше",
    licence: "Apache-2.0",
    source: card("t-tech/T-lite-it-2.1"),
    figures: [],
    parameters: 8,
    activeParameters: 8,
    bytes: 5 * GB,
    repo: "t-tech/T-lite-it-2.1-GGUF",
    quantisation: "Q4_K_M",
  },
  {
    id: "gigachat-3.1-10b-a1.8b",
    kind: "chat",
    name: "GigaChat 3.1 10B-A1.8B",
    about: "Сильный русский и быстрые ответы, но нужно много памяти",
    licence: "MIT",
    source: card("ai-sage/GigaChat3.1-10B-A1.8B"),
    figures: [],
    parameters: 10,
    activeParameters: 1.8,
    bytes: 6.1 * GB,
    repo: "ai-sage/GigaChat3.1-10B-A1.8B-GGUF",
    quantisation: "Q4_K_M",
  },
  {
    id: "bge-m3",
    kind: "embedder",
    name: "BGE-M3",
    about: "Чаще находит нужное, когда вопрос задан другими словами; знает сто языков",
    licence: "MIT",
    source: card("BAAI/bge-m3"),
    figures: [
      rubq(
        "0,712",
        "6dd92c4428f6d371e20dffe72ff0c4c54820ca9e/results/BAAI__bge-m3/5617a9f61b028005a4858fdac845db406aefb181",
      ),
    ],
    parameters: 0.57,
    activeParameters: 0.57,
    bytes: 0.64 * GB,
    repo: "gpustack/bge-m3-GGUF",
    quantisation: "Q8_0",
  },
  {
    id: "multilingual-e5-small",
    kind: "embedder",
    name: "multilingual-e5-small",
    about: "Самый лёгкий поиск по смыслу: подходит и слабому компьютеру",
    licence: "MIT",
    source: card("intfloat/multilingual-e5-small"),
    figures: [
      {
        benchmark: "Двойник без модели помог с вопросом клиента (в 4-битном виде)",
        value: "57%, без поиска по смыслу 51%",
        source: null,
        date: "2026-11-23",
      },
      rubq(
        "0,685",
        "7228ca1f34edb9f05d78d88b881d85875843c45b/results/intfloat__multilingual-e5-small/fd1525a9fd15316a2d503bf26ab031a61d056e98",
      ),
    ],
    parameters: 0.118,
    activeParameters: 0.118,
    bytes: 0.132 * GB,
    repo: "keisuke-miyako/multilingual-e5-small-gguf-q8_0",
    quantisation: "Q8_0",
  },
  {
    id: "qwen3-embedding-0.6b",
    kind: "embedder",
    name: "Qwen3 Embedding 0.6B",
    about: "Поиск по смыслу на ста языках",
    licence: "Apache-2.0",
    source: card("Qwen/Qwen3-Embedding-0.6B"),
    figures: [
      rubq(
        "0,669",
        "acc875630eeba5dd2ac0b179881ae2274790e596/results/Qwen__Qwen3-Embedding-0.6B/b22da495047858cce924d27d76261e96be6febc0",
      ),
    ],
    parameters: 0.6,
    activeParameters: 0.6,
    bytes: 0.64 * GB,
    repo: "Qwen/Qwen3-Embedding-0.6B-GGUF",
    quantisation: "Q8_0",
  },
  {
    id: "bge-reranker-v2-m3",
    kind: "reranker",
    name: "BGE Reranker v2 M3",
    about: "Ещё раз сверяет найденное с вопросом: первым встаёт то, что отвечает",
    licence: "Apache-2.0",
    source: card("BAAI/bge-reranker-v2-m3"),
    figures: [],
    parameters: 0.57,
    activeParameters: 0.57,
    bytes: 0.64 * GB,
    repo: "gpustack/bge-reranker-v2-m3-GGUF",
    quantisation: "Q8_0",
  },
  {
    id: "gigaam-v3-ctc",
    kind: "speech",
    name: "GigaAM-v3",
    about: "Расшифровывает голосовые по-русски, со знаками препинания; подходит и слабому компьютеру",
    licence: "MIT",
    source: card("ai-sage/GigaAM-v3"),
    figures: [misheard("9,2%")],
    parameters: 0.24,
    activeParameters: 0.24,
    bytes: 0.225 * GB,
    repo: "csukuangfj/sherpa-onnx-nemo-ctc-punct-giga-am-v3-russian-2025-12-16",
    parts: { "model.int8.onnx": "model.int8.onnx", "tokens.txt": "tokens.txt" },
  },
  {
    id: "gigaam-v3-rnnt",
    kind: "speech",
    name: "GigaAM-v3 RNNT",
    about: "По-русски чуть точнее и говорит, насколько уверена в каждой записи, но работает дольше",
    licence: "MIT",
    source: card("ai-sage/GigaAM-v3"),
    figures: [misheard("8,4%")],
    parameters: 0.24,
    activeParameters: 0.24,
    bytes: 0.23 * GB,
    repo: "csukuangfj/sherpa-onnx-nemo-transducer-punct-giga-am-v3-russian-2025-12-16",
    parts: {
      "encoder.int8.onnx": "encoder.int8.onnx",
      "decoder.onnx": "decoder.onnx",
      "joiner.onnx": "joiner.onnx",
      "tokens.txt": "tokens.txt",
    },
  },
  {
    id: "whisper-small",
    kind: "speech",
    name: "Whisper small",
    about: "Расшифровывает голосовые на ста языках; по-русски ошибается чаще, чем GigaAM",
    licence: "MIT",
    source: card("openai/whisper-small"),
    figures: [],
    parameters: 0.24,
    activeParameters: 0.24,
    bytes: 0.375 * GB,
    repo: "csukuangfj/sherpa-onnx-whisper-small",
    parts: {
      "small-encoder.int8.onnx": "small-encoder.int8.onnx",
      "small-decoder.int8.onnx": "small-decoder.int8.onnx",
      "small-tokens.txt": "small-tokens.txt",
    },
  },
];

export const catalogueModel = (id: string): CatalogueModel | undefined => CATALOGUE.find((model) => model.id === id);
