/** What can be recognised on this machine, without anything leaving it. */
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { Recognize } from "./recognizer.ts";

export interface LocalMedia {
  /** null: nothing is installed for it (no model is downloaded). Asked anew for each file, because an administrator installs and removes. */
  recognizer(kind: MediaKind): Recognize | null;
  /** Ends what runs, when the server stops. */
  close(): Promise<void>;
}
