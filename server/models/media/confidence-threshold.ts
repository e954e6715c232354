/** Minimum recognition confidence from which the text of a recording or picture is trusted. */
export const CONFIDENCE_THRESHOLD = 0.6;

/** Confidence of a transcript that the platform made: platforms report none, and users read such transcripts as they are. */
export const PLATFORM_CONFIDENCE = 0.8;

/** @param confidence null if the file was not recognised */
export const isConfident = (confidence: number | null): boolean =>
  confidence !== null && confidence >= CONFIDENCE_THRESHOLD;
