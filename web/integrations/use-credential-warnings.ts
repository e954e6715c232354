import { useEffect, useState } from "react";
import { type IntegrationForm, USERBOT_API_KEY } from "#contract/integrations/integrations.ts";

export type CredentialWarnings = Partial<Record<keyof IntegrationForm, string>>;

const NONE: CredentialWarnings = {};
/** Pause after the last key press, because a token that is still being typed is not wrong yet. */
const TYPING_PAUSE_MS = 400;

/** Warnings about unusual formats, which block nothing. The formats are loaded once something was entered. */
export function useCredentialWarnings(values: IntegrationForm): CredentialWarnings {
  const [warnings, setWarnings] = useState(NONE);
  const { platform, apiKey, phoneNumber, appToken } = values;
  useEffect(() => {
    let left = false;
    const timer = setTimeout(async () => {
      if (![apiKey, phoneNumber, appToken].some((text) => text.trim())) return setWarnings(NONE);
      const { credentialWarnings } = await import("#contract/integrations/credential-forms.ts");
      const entered = {
        ...{ platform, apiKey: apiKey.trim() },
        ...{ phoneNumber: phoneNumber.trim(), appToken: appToken.trim() },
      };
      const found = credentialWarnings(entered, USERBOT_API_KEY).map(({ field, message }) => [field, message]);
      if (!left) setWarnings(Object.fromEntries(found));
    }, TYPING_PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [platform, apiKey, phoneNumber, appToken]);
  return warnings;
}
