const ENDINGS = [".pdf", ".docx", ".xlsx", ".md"];

/** Whether a file that was added as a chat export can only be a document. */
export const isOnlyDocument = ({ name }: Pick<File, "name">): boolean =>
  ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
