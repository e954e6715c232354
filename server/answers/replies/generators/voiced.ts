/** Lets a local model use the twin's voice adapter (docs/decisions/029-reply-candidates-and-voice-adapters.md). */
import type { LocalBase, TwinVoices, Voice } from "#server/models/adapters/twin-voices.ts";
import { ModelFailure } from "#server/models/host/failures.ts";
import type { ReplyRequest } from "../reply-request.ts";

export interface Voiced {
  base: LocalBase;
  voices: TwinVoices;
}

/** Returns the voice of the request's twin; null: none. @throws ModelFailure when the requested voice cannot be used */
export async function voiceFor(
  voiced: Voiced | undefined,
  { payer, voice: wanted }: ReplyRequest,
): Promise<Voice | null> {
  if (voiced === undefined || payer === undefined) return null;
  const voice = await voiced.voices.of(payer, voiced.base, wanted);
  if (voice === null && typeof wanted === "string") throw new ModelFailure("refused", "the voice is of another model");
  return voice;
}

/** @throws ModelFailure when a voice was requested explicitly and the model has not used it */
export async function recordVoiceUse(
  voiced: Voiced | undefined,
  { payer, voice: wanted }: ReplyRequest,
  voice: Voice | null,
  worked: boolean,
): Promise<void> {
  if (voiced === undefined || payer === undefined || voice === null) return;
  await voiced.voices.note(payer, voice, worked);
  if (!worked && typeof wanted === "string") throw new ModelFailure("refused", "the voice cannot be used");
}
