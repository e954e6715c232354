import { clsx } from "clsx";
import { EllipsisVertical } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import { integrationsApi } from "#contract/integrations/integrations.ts";
import { plural } from "#web/i18n/plural.ts";
import { autonomyLevel } from "#web/parts/autonomy-levels.ts";
import { listBadge } from "#web/parts/connection-states.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { buttonClass } from "#web/ui/button.tsx";
import { PlatformIcon, platformName } from "#web/ui/platform-icon.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { connectionText, isAmiss, messagesOf, phoneOf, type ShownIntegration, syncText } from "./shown-integration.ts";

const loadMenu = () => import("./integration-menu.tsx");
const IntegrationMenu = lazy(loadMenu);

function preloadMenu() {
  // A failure shows when the menu is really opened.
  loadMenu().catch(() => undefined);
}

const line = "flex items-start gap-4 py-4";
const glyph = "grid size-10 shrink-0 place-items-center rounded-md border bg-surface text-muted";

interface IntegrationRowProps {
  entry: ShownIntegration;
  twinName: string;
  isSample: boolean;
}

export function IntegrationRow({ entry, twinName, isSample }: IntegrationRowProps) {
  const { platform, statusReason, lastSync, account } = entry;
  const connection = connectionText(entry);
  const state = listBadge(entry);
  const twin = useTwins().data?.find(({ id }) => id === entry.digitalTwinId);
  const mayNot = useWhyNot(integrationsApi.update, twin);
  return (
    <li className={line}>
      <span className={glyph}>
        <PlatformIcon platform={platform} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-base tabular-nums [overflow-wrap:anywhere]">
            {isSample ? (
              phoneOf(entry)
            ) : (
              <Link
                href={paths.integration(entry.id)}
                className="underline decoration-control underline-offset-4 hover:decoration-fg"
              >
                {phoneOf(entry)}
              </Link>
            )}
          </h3>
          <Badge tone={state.tone}>{state.name}</Badge>
        </div>
        <p className="text-md text-muted">
          {platformName(platform) || "Платформа не указана"} · <span>{twinName}</span>
          {account && account !== phoneOf(entry) && <span className="[overflow-wrap:anywhere]"> · {account}</span>}
        </p>
        <ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-subtle tabular-nums">
          <li>{plural(messagesOf(entry), ["сообщение", "сообщения", "сообщений"])}</li>
          <li>
            Синхронизация: <span>{syncText(lastSync)}</span>
          </li>
          <li>Ответы: {autonomyLevel(entry.autonomy).name.toLocaleLowerCase("ru-RU")}</li>
          {Boolean(entry.setAside) && <li className="text-warning-text">Отложено: {entry.setAside}</li>}
        </ul>
        {(connection ?? statusReason) && (
          <p className={clsx("mt-1 text-sm", isAmiss(entry) ? "text-danger-text" : "text-subtle")}>
            {connection ?? statusReason}
          </p>
        )}
      </div>
      {!isSample && mayNot === null && <LateMenu entry={entry} name={`${platformName(platform)}, ${phoneOf(entry)}`} />}
    </li>
  );
}

/** The menu's code is fetched when the pointer or the focus comes near: the first paint does without it. */
function LateMenu({ entry, name }: { entry: ShownIntegration; name: string }) {
  const [asked, setAsked] = useState(false);
  const face = {
    type: "button",
    "aria-label": `Действия: ${name}`,
    className: buttonClass("ghost", "icon", "-me-2"),
    children: <EllipsisVertical aria-hidden className="icon" />,
  } as const;
  const still = (
    <button
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preloadMenu}
      onFocus={preloadMenu}
      onClick={() => setAsked(true)}
      {...face}
    />
  );
  if (!asked) return still;
  return (
    <Suspense fallback={still}>
      <IntegrationMenu entry={entry} name={name} trigger={<button {...face} />} />
    </Suspense>
  );
}

/** The row's own measures, before anything is known. */
export function IntegrationRowSkeleton() {
  return (
    <li aria-hidden className={line}>
      <Skeleton className="size-10 rounded-md!" />
      <div className="flex-1">
        <Skeleton className="my-1 h-4 w-40" />
        <Skeleton className="my-1.5 h-4 w-56 max-w-full" />
        <Skeleton className="my-1 h-3.5 w-72 max-w-full" />
      </div>
    </li>
  );
}
