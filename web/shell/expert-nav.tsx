import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";

interface Place {
  to: string;
  name: string;
  /** Whether the screen shows the owner's messages, so that only the owner may open it. */
  ownerOnly?: boolean;
}

const placesOf = ({ id }: Twin): readonly Place[] => [
  { to: paths.twinAccess(id), name: "Ключи и MCP" },
  { to: `${paths.twinAccess(id)}?tab=webhooks`, name: "Вебхуки" },
  { to: `${paths.twinAccess(id)}?tab=budget`, name: "Расход" },
  { to: paths.twinReplies(id), name: "Кому видны ответы", ownerOnly: true },
];

export function ExpertNav({ twin }: { twin: Twin }) {
  const { user } = useSession();
  const [path] = useLocation();
  const [search] = useSearchParams();
  const tab = search.get("tab");
  const here = path === paths.twinAccess(twin.id) && tab !== null && tab !== "keys" ? `${path}?tab=${tab}` : path;
  const own = twin.ownerId === "" || user?.id === twin.ownerId;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const list = nav.current;
    const current = [...(list?.querySelectorAll("a") ?? [])].find((link) => link.getAttribute("href") === here);
    // Scrolls the list sideways on a phone, never the page.
    if (list && current) list.scrollLeft = current.offsetLeft - list.offsetLeft - list.clientWidth / 4;
  }, [here]);
  return (
    <nav
      ref={nav}
      aria-label="Для специалистов"
      className="fade-edge mb-6 flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--border)] [scrollbar-width:none]"
    >
      {placesOf(twin)
        .filter(({ ownerOnly }) => own || !ownerOnly)
        .map(({ to, name }) => (
          <Link
            key={to}
            href={to}
            aria-current={to === here ? "page" : undefined}
            className={clsx(
              "flex min-h-control shrink-0 items-center border-b-2 px-3 font-medium text-md -outline-offset-2",
              to === here ? "border-primary text-primary-text" : "border-transparent text-muted hover:text-fg",
            )}
          >
            {name}
          </Link>
        ))}
    </nav>
  );
}
