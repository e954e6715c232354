import { Menu, Plus, Search } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useLanguage } from "#web/i18n/language.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { openDrawer, openPalette } from "./floating-state.ts";
import { LanguageMenu } from "./language-menu.tsx";
import { useScreenHeading } from "./navigation.ts";
import { NotificationBell } from "./notification-bell.tsx";
import { ThemeMenu } from "./theme-menu.tsx";
import { UserMenu } from "./user-menu.tsx";

export interface HeaderProps {
  /** The screen's h1; it names the document too. */
  title: string;
  description?: string;
  /** The create button, as a link to `to` (the create form unless told) or an act of the screen. */
  create?: true | { label?: string; to?: string; onClick?: () => void };
  /** Stands before the create button. */
  actions?: ReactNode;
}

export function Header({ title, description, create, actions }: HeaderProps) {
  const heading = useScreenHeading(title);
  return (
    <header className="sticky top-0 z-20 flex min-h-(--header) items-center gap-1 border-b bg-surface px-page md:gap-2">
      <Button variant="ghost" size="icon" className="-ms-2.5 md:hidden" aria-label="Открыть меню" onClick={openDrawer}>
        <Menu aria-hidden className="icon" />
      </Button>
      <div lang="ru" className="min-w-0 flex-1 py-2">
        <h1 ref={heading} tabIndex={-1} className="line-clamp-2 text-base leading-tight md:text-lg md:leading-snug">
          {title}
        </h1>
        {description && <p className="hidden truncate text-md text-muted sm:block">{description}</p>}
      </div>
      <SearchButton />
      <Button
        variant="ghost"
        size="icon"
        className="hidden md:inline-flex lg:hidden"
        aria-label="Поиск..."
        onClick={openPalette}
      >
        <Search aria-hidden className="icon" />
      </Button>
      <span className="hidden md:contents">
        <LanguageMenu />
        <ThemeMenu />
      </span>
      <NotificationBell />
      <UserMenu />
      {actions}
      {create && <CreateButton {...(create === true ? {} : create)} />}
    </header>
  );
}

function SearchButton() {
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  return (
    <button
      type="button"
      onClick={openPalette}
      aria-keyshortcuts="Control+K Meta+K"
      className="hidden h-control w-52 shrink-0 items-center gap-2 rounded-md border border-control bg-surface ps-3 pe-1.5 text-md text-muted transition-colors hover:bg-hover lg:flex"
    >
      <Search aria-hidden className="icon" />
      <span lang="ru" className="flex-1 text-start">
        Поиск...
      </span>
      <kbd aria-hidden className="rounded-sm border bg-bg px-1.5 py-0.5 font-mono text-xs">
        {mac ? "⌘ K" : "Ctrl K"}
      </kbd>
    </button>
  );
}

function CreateButton({
  label,
  to = paths.createTwin,
  onClick,
}: {
  label?: string;
  to?: string;
  onClick?: () => void;
}) {
  const { language } = useLanguage();
  // The specified label is English in both languages unless the screen names its own.
  const text = label ?? "Create Twin";
  const lang = label === undefined ? "en" : language === "en" ? "ru" : undefined;
  const inside = (
    <>
      <Plus aria-hidden className="icon" />
      <span lang={lang} className="max-sm:sr-only">
        {text}
      </span>
    </>
  );
  const look = "ms-1 max-sm:w-(--control-h) max-sm:px-0";
  if (onClick) {
    return (
      <Button variant="primary" className={look} onClick={onClick}>
        {inside}
      </Button>
    );
  }
  return (
    <Button asChild variant="primary" className={look}>
      <Link href={to}>{inside}</Link>
    </Button>
  );
}
