import { clsx } from "clsx";
import { Bell, Menu, Plus, Search } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { notificationBadge } from "#web/display-values.ts";
import { PAGE_LANGUAGE, useLanguage } from "#web/i18n/language.ts";
import { StopBanner } from "#web/parts/stop-switch/stop-banner.tsx";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { personName, useSession } from "#web/session/session.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Tooltip } from "#web/ui/overlays/tooltip.tsx";
import { useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { openDrawer, openPalette } from "../floating-state.ts";
import { useScreenHeading } from "../navigation.ts";
import { createLazyMenu, HeaderMenu } from "./header-menu.tsx";
import { SwitchMenus } from "./switch-menus.tsx";

const userMenu = createLazyMenu(() => import("./user-menu.tsx"), "menu");
const notificationBell = createLazyMenu(() => import("./notification-bell.tsx"), "dialog");

export interface HeaderProps {
  /** The screen's h1, which also becomes the document's title. */
  title: string;
  description?: string;
  /**
   * The create button: a link to `to` (by default the create form) or an action. `quiet`: another button is filled; `menu`: on a phone
   * `actions` offer it.
   */
  create?: true | { label?: string; to?: string; onClick?: () => void; quiet?: boolean; menu?: boolean };
  actions?: ReactNode;
  width?: keyof typeof contentWidth;
  /** Whether the content's own bar replaces this one below desktop width. The h1 is then visible only to screen readers. */
  covered?: boolean;
  /** Whether the screen has its own search field, so that the global search needs another accessible name. */
  ownSearch?: boolean;
}

export const contentWidth = {
  content: "max-w-[calc(var(--content)+2*var(--page-x))]",
  wide: "max-w-none",
} as const;

export function Header(props: HeaderProps) {
  const { title, description, create, actions, width = "content", ownSearch = false } = props;
  const covered = !useIsDesktop() && props.covered;
  const heading = useScreenHeading(title);
  const { user } = useSession();
  const name = personName(user);
  return (
    <header data-top-bar className={clsx("sticky top-0 z-20 bg-surface", !covered && "border-b")}>
      <div
        className={
          covered
            ? "sr-only"
            : clsx(
                "mx-auto flex min-h-[calc(var(--header)-1px)] items-center gap-1 px-page md:gap-2",
                contentWidth[width],
              )
        }
      >
        {!covered && (
          <Button
            variant="ghost"
            size="icon"
            className="-ms-2.5 md:hidden"
            aria-label="Открыть меню"
            onClick={openDrawer}
          >
            <Menu aria-hidden className="icon" />
          </Button>
        )}
        <div lang="ru" className="min-w-0 flex-1 py-2 md:min-w-min">
          <h1 ref={heading} tabIndex={-1} className="line-clamp-2 text-base leading-tight md:text-lg md:leading-snug">
            {title}
          </h1>
          {description && <p className="hidden w-0 min-w-full truncate text-md text-muted sm:block">{description}</p>}
        </div>
        {!covered && (
          <>
            {/* The screen's own actions come first, so that elements of every page keep their place. */}
            {actions}
            {create && <CreateButton {...(create === true ? {} : create)} />}
            <SearchButton
              ownSearch={ownSearch}
              crowd={(create && !(create !== true && create.menu) ? 1 : 0) + (actions ? 1 : 0)}
            />
            <span className="hidden md:contents">
              <SwitchMenus />
            </span>
            <HeaderMenu of={notificationBell} label={`Уведомления: ${notificationBadge}`} className="relative">
              <Bell aria-hidden className="icon" />
              {/* The specification fixes this number. The dashboard and the opened panel show the real count. */}
              <span
                aria-hidden
                className="absolute end-0.5 top-0.5 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-danger px-1 font-semibold text-on-danger text-xs leading-none"
              >
                {notificationBadge}
              </span>
            </HeaderMenu>
            <HeaderMenu of={userMenu} label={`Меню пользователя: ${name}`} className="-me-1 rounded-full!">
              <Avatar name={name} photo={user?.photo_url} size="sm" who="owner" />
            </HeaderMenu>
          </>
        )}
      </div>
      <StopBanner />
    </header>
  );
}

/** Breakpoint of the search button by the number of the screen's own buttons, because on a phone the title needs the space first. */
const SHOWN_FROM = ["flex", "hidden md:flex", "hidden md:flex"] as const;

/** An icon, with a label from 1024 px. The drawer contains the search too. */
function SearchButton({ crowd, ownSearch }: { crowd: number; ownSearch: boolean }) {
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  return (
    <button
      type="button"
      onClick={openPalette}
      aria-keyshortcuts="Control+K Meta+K"
      className={clsx(
        SHOWN_FROM[crowd],
        "h-control min-w-control shrink-0 items-center justify-center gap-2 rounded-md border border-transparent text-md transition-colors hover:bg-hover lg:w-60 lg:shrink lg:justify-start lg:overflow-hidden lg:border-control lg:bg-surface lg:ps-3 lg:pe-1.5 lg:text-muted",
      )}
    >
      <Search aria-hidden className="icon" />
      {/* Without enough space the key hint wraps to a second line, which is clipped. */}
      <span className="overflow-hidden max-lg:sr-only lg:flex lg:h-6 lg:flex-1 lg:flex-wrap lg:items-center lg:justify-between">
        <span lang="ru" className="max-w-full truncate leading-6">
          {ownSearch ? "Поиск по всему" : "Поиск..."}
        </span>
        <kbd
          aria-hidden
          className="hidden whitespace-nowrap rounded-sm border bg-bg px-1.5 py-0.5 font-mono text-xs lg:block"
        >
          {mac ? "⌘ K" : "Ctrl K"}
        </kbd>
      </span>
    </button>
  );
}

function CreateButton({
  label,
  to = paths.createTwin,
  onClick,
  quiet = false,
  menu = false,
}: Exclude<NonNullable<HeaderProps["create"]>, true>) {
  const { language } = useLanguage();
  const whyNot = useReadOnly();
  // The specified label is English in both languages unless the screen sets its own.
  const text = label ?? "Create Twin";
  const lang = label === undefined ? "en" : language === PAGE_LANGUAGE ? undefined : PAGE_LANGUAGE;
  // A phone has space for either the label or the icon.
  const inside = (
    <>
      <Plus aria-hidden className="icon max-sm:hidden" />
      <span lang={lang}>{text}</span>
    </>
  );
  const look = menu ? "mx-1 max-sm:hidden" : "mx-1 max-sm:px-3";
  const variant = quiet ? "outline" : "primary";
  if (onClick) {
    return (
      <Button variant={variant} className={look} whyNot={whyNot} onClick={onClick}>
        {inside}
      </Button>
    );
  }
  const link = (
    <Button asChild variant={variant} className={look} whyNot={whyNot}>
      <Link href={to}>{inside}</Link>
    </Button>
  );
  return label === undefined ? <Tooltip label="Создать двойника">{link}</Tooltip> : link;
}
