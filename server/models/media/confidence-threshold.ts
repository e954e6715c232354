/** Minimum recognition confidence from which the text of a recording or picture is trusted. */
export const CONFIDENCE_THRESHOLD = 0.6;

/** Confidence of a transcript made by the platform itself: platforms report none, and users read the transcript as it is. */
export const PLATFORM_CONFIDENCE = 0.8;

/** @param confidence null if the file was not recognized */
export const isConfident = (confidence: number | null): boolean =>
  confidence !== null && confidence >= CONFIDENCE_THRESHOLD;
