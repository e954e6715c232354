import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "wouter";
import { widgetApi } from "#contract/integrations/widget.ts";
import { queryOf } from "#web/api/query.ts";
import { autonomyLevel } from "#web/parts/autonomy-levels.ts";
import { connectionState } from "#web/parts/connection-states.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { mayChangeTwin } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { PlatformIcon } from "#web/ui/platform-icon.tsx";

/** The chats on the owner's own sites are channels too; nothing stands here while there is none, or while they cannot be read. */
export function SiteChats() {
  const id = useId();
  const { data } = useQuery(queryOf(widgetApi.list));
  const twins = useTwins().data;
  const { user } = useSession();
  if (!data || data.length === 0) return null;
  return (
    <section aria-labelledby={id} className="border-t">
      <h3 id={id} className="px-4 pt-4 font-medium text-md text-muted md:px-5">
        Чаты на сайтах ({data.length})
      </h3>
      <ul className="divide-y">
        {data.map(({ twinId, twinName, title, sites, autonomy }) => {
          const twin = twins?.find((each) => each.id === twinId);
          // Without a site no page may embed it.
          const state = connectionState(sites.length > 0 ? { connection: "connected" } : { connection: "paused" });
          return (
            <li key={twinId} className="flex items-start gap-4 p-4 md:px-5">
              <span className="grid size-10 shrink-0 place-items-center rounded-md bg-hover text-muted">
                <PlatformIcon platform="web" />
              </span>
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  {user && twin && mayChangeTwin(user, twin) ? (
                    <Link
                      href={`${paths.twinAccess(twinId)}?tab=widget`}
                      aria-label={`Чат на сайте: ${title}, ${twinName}`}
                      className="min-w-0 font-medium text-base underline decoration-control underline-offset-4 [overflow-wrap:anywhere] hover:decoration-fg"
                    >
                      {title}
                    </Link>
                  ) : (
                    <span className="min-w-0 font-medium text-base [overflow-wrap:anywhere]">{title}</span>
                  )}
                  <Badge tone={state.tone}>{state.name}</Badge>
                </p>
                <p className="text-md text-muted">Чат на сайте · {twinName}</p>
                <p className="mt-1 text-sm text-subtle [overflow-wrap:anywhere]">
                  {sites.length > 0 ? sites.join(", ") : "Сайт ещё не указан"} · Ответы:{" "}
                  {autonomyLevel(autonomy).name.toLocaleLowerCase("ru-RU")}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
