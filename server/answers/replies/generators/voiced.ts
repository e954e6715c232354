/** Lets a local model write with the voice adapter of the twin that it writes for (docs/decisions/029-reply-candidates-and-voice-adapters.md). */
import type { LocalBase, TwinVoices, Voice } from "#server/models/local/adapters/twin-voices.ts";
import { ModelFailure } from "#server/models/local/failures.ts";
import type { ReplyRequest } from "../reply-request.ts";

/** The model's file and the twins' voices for it. */
export interface Voiced {
  base: LocalBase;
  voices: TwinVoices;
}

/** The voice of the request's twin; null: none. @throws ModelFailure where the named voice cannot be used */
export async function voiceFor(
  voiced: Voiced | undefined,
  { payer, voice: wanted }: ReplyRequest,
): Promise<Voice | null> {
  if (voiced === undefined || payer === undefined) return null;
  const voice = await voiced.voices.of(payer, voiced.base, wanted);
  if (voice === null && typeof wanted === "string") throw new ModelFailure("refused", "the voice is of another model");
  return voice;
}

/** @throws ModelFailure where this very voice was named and the model has written without it */
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
