import { Link, useLocation } from "wouter";
import { useLanguage } from "#web/i18n/language.ts";
import { barSections, isCurrent } from "./sections.ts";

export function BottomBar() {
  const [path] = useLocation();
  const { t } = useLanguage();
  return (
    <nav
      aria-label="Быстрая навигация"
      data-bottom-bar
      className="fixed inset-x-0 bottom-0 z-20 border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid h-(--bottombar) grid-cols-5">
        {barSections.map((section) => {
          const current = isCurrent(section, path);
          return (
            <li key={section.path}>
              <Link
                href={section.path}
                aria-current={current ? "page" : undefined}
                className={`flex h-full flex-col items-center justify-center gap-0.5 px-0.5 text-xs outline-offset-[-3px] ${current ? "font-medium text-primary-text" : "text-muted"}`}
              >
                <section.icon aria-hidden className="icon" />
                <span className="max-w-full truncate">{t(section.label)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
