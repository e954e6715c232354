/** The prefixes of queries and passages that a family of embedding models was trained with. */
export interface EmbeddingPrefixes {
  query: string;
  passage: string;
}

interface Family {
  /** Matches the model's or its file's name in lower case. */
  name: RegExp;
  prefixes: EmbeddingPrefixes;
}

const NONE: EmbeddingPrefixes = { query: "", passage: "" };

/** From the models' cards; the first match applies. */
const FAMILIES: readonly Family[] = [
  // intfloat/multilingual-e5-*: queries and passages both have a prefix. The instruct variant has a task for queries and none for passages.
  {
    name: /(?:^|[^a-z0-9])e5-[a-z0-9._-]{0,60}instruct/,
    prefixes: {
      query: "Instruct: Given a question, retrieve passages that answer it\nQuery: ",
      passage: "",
    },
  },
  { name: /(?:^|[^a-z0-9])(?:nano)?e5(?:[^a-z0-9]|$)/, prefixes: { query: "query: ", passage: "passage: " } },
  {
    name: /qwen3-embedding/,
    prefixes: { query: "Instruct: Given a question, retrieve passages that answer it\nQuery:", passage: "" },
  },
  // ai-forever/FRIDA
  { name: /frida/, prefixes: { query: "search_query: ", passage: "search_document: " } },
  { name: /nomic-embed/, prefixes: { query: "search_query: ", passage: "search_document: " } },
  { name: /embeddinggemma/, prefixes: { query: "task: search result | query: ", passage: "title: none | text: " } },
];

/** @param name the model's name from the file's metadata, or the file's own name */
export function prefixesFor(name: string): EmbeddingPrefixes {
  const said = name.toLowerCase().replaceAll(/[ _]/g, "-");
  return FAMILIES.find((family) => family.name.test(said))?.prefixes ?? NONE;
}
