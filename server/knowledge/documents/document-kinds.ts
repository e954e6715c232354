/** Apart from the readers, because their libraries cost the server 200 modules at its start; only reader processes load them. */
type TextKind = "txt" | "md" | "html" | "csv";
export type ArchiveKind = "docx" | "xlsx";
export type DocumentKind = TextKind | "pdf" | ArchiveKind;

export const MIMES: Record<DocumentKind, string> = {
  txt: "text/plain",
  md: "text/markdown",
  html: "text/html",
  csv: "text/csv",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

export const DOCUMENT_EXTENSIONS: Record<string, DocumentKind> = {
  ".txt": "txt",
  ".text": "txt",
  ".log": "txt",
  ".md": "md",
  ".markdown": "md",
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".csv": "csv",
  ".tsv": "csv",
  ".pdf": "pdf",
  ".docx": "docx",
  ".xlsx": "xlsx",
};
