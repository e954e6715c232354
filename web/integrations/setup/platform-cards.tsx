import { clsx } from "clsx";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { platformName } from "#web/ui/platform-icon.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { platformForm, platformForms } from "../platforms.ts";

const CARD =
  "relative flex h-full flex-col gap-2 rounded-lg border p-3 transition-colors hover:bg-hover has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2";

interface PlatformCardsProps {
  chosen: string;
  /** The twin whose chat widget the last card leads to; undefined leads to the list of twins. */
  twinId: string | undefined;
  field: UseFormRegisterReturn;
}

/**
 * The field «Платформа»: all channels in a fixed grid, so that the chosen one stays visible among the others. The chat widget has its own
 * page.
 */
export function PlatformCards({ chosen, twinId, field }: PlatformCardsProps) {
  // On a phone eight explanations would separate the choice from its fields.
  const brief = chosen !== "" && "max-sm:hidden";
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-md">Платформа</legend>
      {/* No narrower than «WhatsApp» beside its icon. */}
      <ul className="grid grid-cols-2 gap-2 max-[359px]:grid-cols-1 sm:grid-cols-[repeat(auto-fill,minmax(9.75rem,1fr))]">
        {platformForms.map(({ platform, takes }) => (
          <li key={platform}>
            <label className={clsx(CARD, "cursor-pointer has-disabled:cursor-not-allowed")}>
              <input type="radio" value={platform} className="absolute opacity-0" {...field} />
              <Inside platform={platform} takes={takes} className={brief} />
            </label>
          </li>
        ))}
        <li>
          <Link href={twinId ? `${paths.twinAccess(twinId)}?tab=widget` : paths.twins} className={CARD}>
            <Inside platform="web" takes="Одна строка в код страницы" className={brief} />
          </Link>
        </li>
      </ul>
      <p className="mt-3 text-muted text-sm">
        {platformForm(chosen)?.about ?? (
          <>
            amoCRM и Битрикс24 подключаются на странице{" "}
            <Link href={paths.crm} className="font-medium text-primary-text underline">
              CRM интеграция
            </Link>
          </>
        )}
      </p>
    </fieldset>
  );
}

function Inside({ platform, takes, className }: { platform: string; takes: string; className: string | false }) {
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <PlatformTile platform={platform} />
        <span className="min-w-0 font-medium text-md [overflow-wrap:anywhere]">{platformName(platform)}</span>
      </span>
      <span className={clsx("text-muted text-sm", className)}>{takes}</span>
    </>
  );
}
