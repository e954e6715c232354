import { Link } from "wouter";
import type { IntegrationPlatform } from "#contract/integrations/integrations.ts";
import { paths } from "#web/paths.ts";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";
import { platformForms } from "../platforms.ts";

const CARD =
  "flex h-full w-full items-center gap-3 rounded-md px-3 py-2.5 text-start font-medium text-md transition-colors hover:bg-hover disabled:cursor-not-allowed disabled:text-muted";

interface PlatformCardsProps {
  /** The twin whose site chat the last card leads to; undefined leads to the list of twins. */
  twinId: string | undefined;
  disabled: boolean;
  onChoose: (platform: IntegrationPlatform) => void;
}

/** The list of the field «Платформа», open under it while nothing is chosen: one press chooses. The chat on the owner's own site is one of them. */
export function PlatformCards({ twinId, disabled, onChoose }: PlatformCardsProps) {
  return (
    <div className="rounded-md border p-2">
      <ul aria-label="Каналы" className="grid grid-cols-2 gap-1 md:grid-cols-3">
        {platformForms.map(({ platform }) => (
          <li key={platform}>
            <button type="button" disabled={disabled} className={CARD} onClick={() => onChoose(platform)}>
              <PlatformIcon platform={platform} className="shrink-0" />
              <span className="truncate">{platformName(platform)}</span>
            </button>
          </li>
        ))}
        <li>
          <Link href={twinId ? `${paths.twinAccess(twinId)}?tab=widget` : paths.twins} className={CARD}>
            <PlatformIcon platform="web" className="shrink-0" />
            <span className="truncate">{platformName("web")}</span>
          </Link>
        </li>
      </ul>
      <p className="mt-2 border-t px-3 pt-2 text-sm text-subtle">
        amoCRM и Битрикс24 подключаются на странице{" "}
        <Link href={paths.crm} className="font-medium text-primary-text underline">
          CRM интеграция
        </Link>
      </p>
    </div>
  );
}
