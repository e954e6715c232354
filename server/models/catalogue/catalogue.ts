/**
 * The models that the screen «Модель» offers. Sizes and licences are from the models' public cards (`source`); a file's exact size and
 * checksum come from the hub at the download.
 */
import type { ModelKind } from "#contract/models/local-models.ts";

export interface CatalogueModel {
  /** Never changes, because rows refer to it. */
  id: string;
  kind: ModelKind;
  name: string;
  /**
   * What the model is good for, in words for somebody who knows no models; below 3 billion parameters also how far it is trusted
   * (docs/decisions/053).
   */
  about: string;
  licence: string;
  /** Address of the card that the figures are from. */
  source: string;
  /** Parameters in billions; `activeParameters`: those used for one token. */
  parameters: number;
  activeParameters: number;
  /** Approximate size of the file below. */
  bytes: number;
  /** The repository on the hub; `quantisation`: the end of the file's name. */
  repo: string;
  quantisation: string;
}

const GB = 1e9;
const card = (repo: string) => `https://huggingface.co/${repo}`;

/** What is small reads badly (docs/decisions/053), which somebody who knows no models has to be told in words of his own. */
const FACTS_ARE_FOUND = "Модель небольшая: факты за неё находит поиск по документам";

export const CATALOGUE: readonly CatalogueModel[] = [
  {
    id: "qwen3-0.6b",
    kind: "chat",
    name: "Qwen3 0.6B",
    about: `Самая лёгкая, для слабого компьютера. ${FACTS_ARE_FOUND}`,
    licence: "Apache-2.0",
    source: card("Qwen/Qwen3-0.6B"),
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
    about: `Дообучена на русском, для обычного компьютера. ${FACTS_ARE_FOUND}`,
    licence: "Apache-2.0",
    source: card("Vikhrmodels/QVikhr-3-1.7B-Instruction-noreasoning"),
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
    about: `Знает много языков, для обычного компьютера. ${FACTS_ARE_FOUND}`,
    licence: "Apache-2.0",
    source: card("Qwen/Qwen3-1.7B"),
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
    parameters: 10,
    activeParameters: 1.8,
    bytes: 6.1 * GB,
    repo: "ai-sage/GigaChat3.1-10B-A1.8B-GGUF",
    quantisation: "Q4_K_M",
  },
  {
    id: "qwen3-embedding-0.6b",
    kind: "embedder",
    name: "Qwen3 Embedding 0.6B",
    about: "Находит нужное и тогда, когда вопрос задан другими словами",
    licence: "Apache-2.0",
    source: card("Qwen/Qwen3-Embedding-0.6B"),
    parameters: 0.6,
    activeParameters: 0.6,
    bytes: 0.64 * GB,
    repo: "Qwen/Qwen3-Embedding-0.6B-GGUF",
    quantisation: "Q8_0",
  },
  {
    id: "bge-m3",
    kind: "embedder",
    name: "BGE-M3",
    about: "Поиск по смыслу на ста языках; на слабом компьютере быстрее",
    licence: "MIT",
    source: card("BAAI/bge-m3"),
    parameters: 0.57,
    activeParameters: 0.57,
    bytes: 0.64 * GB,
    repo: "gpustack/bge-m3-GGUF",
    quantisation: "Q8_0",
  },
  {
    id: "bge-reranker-v2-m3",
    kind: "reranker",
    name: "BGE Reranker v2 M3",
    about: "Ещё раз сверяет найденное с вопросом: первым встаёт то, что отвечает",
    licence: "Apache-2.0",
    source: card("BAAI/bge-reranker-v2-m3"),
    parameters: 0.57,
    activeParameters: 0.57,
    bytes: 0.64 * GB,
    repo: "gpustack/bge-reranker-v2-m3-GGUF",
    quantisation: "Q8_0",
  },
];

export const catalogueModel = (id: string): CatalogueModel | undefined => CATALOGUE.find((model) => model.id === id);
