/** A passage that this audience may see, best first. */
export interface ReplyPassage {
  id: string;
  documentId: string;
  /** Of the document. */
  name: string;
  heading: string;
  text: string;
  score: number;
  /** In the order of the text; scores compare across passages. */
  sentences: { text: string; score: number }[];
}
