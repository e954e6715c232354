import { clsx } from "clsx";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Brand, BrandMark } from "#web/ui/brand-mark.tsx";
import { Button } from "#web/ui/button.tsx";
import { Tooltip } from "#web/ui/overlays/tooltip.tsx";
import { useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { PlanCard, UserCard } from "./plan-card.tsx";
import { SectionLink } from "./section-link.tsx";
import { sections } from "./sections.ts";

const KEY = "sidebar";

/** Shown from 768 px up, wide or collapsed as the user left it. Without a choice it is wide from 1024 px. */
export function Sidebar() {
  const desktop = useIsDesktop();
  const [choice, setChoice] = useState(() => localStorage.getItem(KEY));
  const collapsed = choice === null ? !desktop : choice === "collapsed";

  function toggle() {
    const next = collapsed ? "wide" : "collapsed";
    localStorage.setItem(KEY, next);
    setChoice(next);
  }

  const label = collapsed ? "Развернуть меню" : "Свернуть меню";
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      aria-label="Боковая панель"
      className={clsx(
        "sticky top-0 hidden h-dvh shrink-0 flex-col overflow-y-auto overflow-x-hidden border-e bg-surface md:flex",
        collapsed ? "w-(--sidebar-collapsed)" : "w-(--sidebar)",
      )}
    >
      <Link
        href={paths.home}
        aria-label="Цифровые двойники: на главную"
        className={clsx(
          "flex min-h-(--header) items-center outline-offset-[-3px]",
          collapsed ? "justify-center" : "px-4",
        )}
      >
        {collapsed ? <BrandMark /> : <Brand />}
      </Link>
      <nav aria-label="Основная навигация" className="px-3 py-2">
        <ul className="flex flex-col gap-0.5">
          {sections.map((section) => (
            <li key={section.path}>
              <SectionLink section={section} collapsed={collapsed} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex flex-col gap-3 p-3">
        {!collapsed && <PlanCard />}
        <div className={clsx("flex items-center", collapsed ? "justify-center" : "justify-between gap-2")}>
          {!collapsed && <UserCard />}
          <Tooltip side="right" label={label}>
            <Button variant="ghost" size="icon" aria-label={label} aria-expanded={!collapsed} onClick={toggle}>
              <Icon aria-hidden className="icon text-muted" />
            </Button>
          </Tooltip>
        </div>
      </div>
    </aside>
  );
}
