/** The pieces of a chunk that an answer may quote, for those who learn their embeddings. */
export { piecesOf } from "./extraction/pieces.ts";
