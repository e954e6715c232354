/** Kinds that are never an export of correspondence. */
const ENDINGS = [".pdf", ".docx", ".md"];

/** Whether a file that was given as correspondence can only be a document. */
export const isOnlyDocument = ({ name }: Pick<File, "name">): boolean =>
  ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
