import { clsx } from "clsx";
import { EllipsisVertical } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import { integrationsApi } from "#contract/integrations/integrations.ts";
import { plural } from "#web/i18n/plural.ts";
import { autonomyLevel } from "#web/parts/autonomy-levels.ts";
import { ConnectionBadge } from "#web/parts/connection-badge.tsx";
import { isDisconnected } from "#web/parts/connection-states.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { buttonClass } from "#web/ui/button.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useCheckIntegration } from "./one/integration-queries.ts";
import { RowAct } from "./row-act.tsx";
import { rowId } from "./row-id.ts";
import {
  connectionText,
  HIDDEN_NUMBER,
  isActive,
  messagesOf,
  nameOf,
  numberOf,
  type ShownIntegration,
  syncText,
} from "./shown-integration.ts";

const loadMenu = () => import("./integration-menu.tsx");
const IntegrationMenu = lazy(loadMenu);
const CheckResult = lazy(() => import("./check-result.tsx"));

function preloadMenu() {
  // Preload failures are ignored; opening the menu reports them.
  loadMenu().catch(() => undefined);
}

/** On a phone the actions are below the text and aligned with it. */
export const row = {
  line: "flex flex-wrap items-start gap-x-4 gap-y-3 py-4",
  words: "min-w-0 flex-1 basis-48",
  badges: "flex gap-2 max-sm:mb-1 max-sm:w-full",
  acts: "flex items-center gap-2 max-sm:basis-full max-sm:ps-14",
} as const;

interface IntegrationRowProps {
  entry: ShownIntegration;
  twinName: string;
  isSample: boolean;
}

export function IntegrationRow({ entry, twinName, isSample }: IntegrationRowProps) {
  const { platform, lastSync, account } = entry;
  const why = connectionText(entry);
  const amiss = isDisconnected(entry);
  const name = `${platformName(platform)}, ${nameOf(entry)}`;
  const twin = useTwins().data?.find(({ id }) => id === entry.digitalTwinId);
  const mayNot = useWhyNot(integrationsApi.update, twin);
  const check = useCheckIntegration(entry.id);
  return (
    <li id={isSample ? undefined : rowId(entry.id)} className={clsx(row.line, "scroll-mt-24")}>
      <PlatformTile platform={platform} />
      <div className={row.words}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-base tabular-nums [overflow-wrap:anywhere]">
            {isSample ? (
              nameOf(entry)
            ) : (
              <Link
                href={paths.integration(entry.id)}
                className="underline decoration-control underline-offset-4 hover:decoration-fg"
              >
                {nameOf(entry)}
              </Link>
            )}
          </h3>
          <div className={row.badges}>
            <ActivityBadge active={isActive(entry)} amiss={amiss} />
            {/* Details that the specified badge does not show. */}
            {(amiss || entry.connection === "connecting") && <ConnectionBadge {...entry} />}
          </div>
        </div>
        <p className="text-md text-muted">
          {platformName(platform) || "Платформа не указана"} · <span>{twinName}</span>
          {account && account !== nameOf(entry) && <span className="[overflow-wrap:anywhere]"> · {account}</span>}
        </p>
        {why && <p className="mt-1 max-w-measure text-md">{why}</p>}
        <ul className="mt-1 flex flex-wrap gap-x-4 text-sm text-subtle tabular-nums">
          {nameOf(entry) !== HIDDEN_NUMBER && !numberOf(entry) && <li>{HIDDEN_NUMBER}</li>}
          <li>{plural(messagesOf(entry), ["сообщение", "сообщения", "сообщений"])}</li>
          <li>
            Синхронизация: <span>{syncText(lastSync)}</span>
          </li>
          <li>Ответы: {autonomyLevel(entry.autonomy).name.toLocaleLowerCase("ru-RU")}</li>
          {Boolean(entry.setAside) && <li className="text-warning-text">Отложено: {entry.setAside}</li>}
        </ul>
        <Suspense fallback={null}>
          {(check.isPending || check.data) && (
            <div className="mt-3">
              <CheckResult check={check.data} pending={check.isPending} />
            </div>
          )}
        </Suspense>
      </div>
      {!isSample && mayNot === null && (
        <div className={row.acts}>
          <RowAct entry={entry} name={name} checking={check.isPending} onCheck={() => check.mutate()} />
          <LateMenu entry={entry} name={name} />
        </div>
      )}
    </li>
  );
}

/** The specified status badge. It is not green when the integration is active but does not answer. */
export const ActivityBadge = ({ active, amiss = false }: { active: boolean; amiss?: boolean }) => (
  <Badge tone={active && !amiss ? "success" : "neutral"}>{active ? "Активна" : "Неактивна"}</Badge>
);

/** Loads the menu's code on hover or focus, so that the first paint does not need it. */
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

export function IntegrationRowSkeleton() {
  return (
    <li aria-hidden className={row.line}>
      <Skeleton className="size-10 rounded-md!" />
      <div className="flex-1">
        <Skeleton className="my-1 h-4 w-40" />
        <Skeleton className="my-1.5 h-4 w-56 max-w-full" />
        <Skeleton className="my-1 h-3.5 w-72 max-w-full" />
      </div>
    </li>
  );
}
