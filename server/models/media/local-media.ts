/** What this machine can recognise without sending anything elsewhere. */
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { Recognize } from "./recognizer.ts";

export interface LocalMedia {
  /**
   * null: nothing is installed for this kind. Call it for each file, because an administrator may install or remove models; none is
   * downloaded.
   */
  recognizer(kind: MediaKind): Recognize | null;
  close(): Promise<void>;
}
