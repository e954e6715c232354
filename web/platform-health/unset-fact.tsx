import { type ReactNode, useId } from "react";
import type { HealthFact, HealthFactId } from "#contract/health.ts";
import { StateBadge } from "#web/parts/health/health-states.tsx";
import { LettersAdvice } from "#web/parts/health/letters-advice.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { SettingLines } from "./setting-lines.tsx";

const ADVICE: Partial<Record<HealthFactId, { about: ReactNode; lines: readonly string[] }>> = {
  letters: { about: <LettersAdvice />, lines: ["SMTP_URL=smtps://логин:пароль@smtp.example.ru:465"] },
  backup: {
    about: "Укажите папку, лучше на другом диске, и фразу, которой шифровать копии, и перезапустите.",
    lines: ["BACKUP_FOLDER=/папка/для/копий", "BACKUP_PASSPHRASE=не короче 12 знаков"],
  },
};

export function UnsetFact({ fact: { id, title, state, summary } }: { fact: HealthFact }) {
  const advice = ADVICE[id];
  return (
    <SettingsGroup id={useId()} title={title} badge={<StateBadge state={state} />}>
      <p className="font-medium text-md">{summary}</p>
      {advice && (
        <>
          <p className="mt-1 max-w-prose text-md text-muted">{advice.about}</p>
          <SettingLines lines={advice.lines} />
        </>
      )}
    </SettingsGroup>
  );
}
