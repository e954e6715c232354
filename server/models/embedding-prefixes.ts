/** What a family of embedding models wants before a text, as its authors trained it. */
export interface Prefixes {
  query: string;
  passage: string;
}

interface Family {
  /** In the model's name or its file's, in small letters. */
  name: RegExp;
  prefixes: Prefixes;
}

const NONE: Prefixes = { query: "", passage: "" };

/** From the models' cards; the first that fits counts. */
const FAMILIES: readonly Family[] = [
  // intfloat/multilingual-e5-*: both sides are marked. Its instruct variant asks with a task and marks no passage.
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

/** @param name as the file calls its model, and the file's own name */
export function prefixesFor(name: string): Prefixes {
  const said = name.toLowerCase().replaceAll(/[ _]/g, "-");
  return FAMILIES.find((family) => family.name.test(said))?.prefixes ?? NONE;
}
