import { Link } from "wouter";
import type { IntegrationPlatform } from "#contract/integrations/integrations.ts";
import { paths } from "#web/paths.ts";
import { platformName } from "#web/ui/platform-icon.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { platformForms } from "../platforms.ts";

const CARD =
  "flex h-full w-full items-center gap-3 rounded-lg border bg-surface p-3 text-start transition-colors hover:border-control hover:bg-hover disabled:cursor-not-allowed disabled:text-muted md:p-4";

interface PlatformCardsProps {
  /** The twin whose site chat the last card leads to; undefined leads to the list of twins. */
  twinId: string | undefined;
  disabled: boolean;
  onChoose: (platform: IntegrationPlatform) => void;
}

/** All channels, the owner's own site among them: one press chooses, as the field «Платформа» below does. */
export function PlatformCards({ twinId, disabled, onChoose }: PlatformCardsProps) {
  return (
    <div>
      <ul aria-label="Каналы" className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {platformForms.map(({ platform, takes }) => (
          <li key={platform}>
            <button type="button" disabled={disabled} className={CARD} onClick={() => onChoose(platform)}>
              <Inside platform={platform} takes={takes} />
            </button>
          </li>
        ))}
        <li>
          <Link href={twinId ? `${paths.twinAccess(twinId)}?tab=widget` : paths.twins} className={CARD}>
            <Inside platform="web" takes="Одна строка в код страницы" />
          </Link>
        </li>
      </ul>
      <p className="mt-3 text-muted text-sm">
        amoCRM и Битрикс24 подключаются на странице{" "}
        <Link href={paths.crm} className="font-medium text-primary-text underline">
          CRM интеграция
        </Link>
      </p>
    </div>
  );
}

function Inside({ platform, takes }: { platform: string; takes: string }) {
  return (
    <>
      <PlatformTile platform={platform} />
      <span className="min-w-0">
        <span className="block truncate font-medium text-md">{platformName(platform)}</span>
        <span className="block text-muted text-sm">{takes}</span>
      </span>
    </>
  );
}
