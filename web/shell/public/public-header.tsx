import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Brand, BrandMark } from "#web/ui/brand-mark.tsx";
import { SwitchMenus } from "../header/switch-menus.tsx";

interface PublicHeaderProps {
  /** Hides the name beside the logo, on a screen whose h1 is the name. */
  markOnly?: boolean;
  /** Hides the name where the disc beside the form has it; narrower screens have no disc. */
  markBesideDisc?: boolean;
  /** Hides the name only on a phone, where the screen's own buttons need the space. */
  markOnPhone?: boolean;
  menusAtFoot?: boolean;
  children?: ReactNode;
}

export function PublicHeader({
  markOnly = false,
  markBesideDisc = false,
  markOnPhone = false,
  menusAtFoot = false,
  children,
}: PublicHeaderProps) {
  return (
    <header className="mx-auto flex min-h-(--header) w-full max-w-[calc(var(--content)+2*var(--page-x))] items-center gap-1 px-page">
      <Link
        href={paths.landing}
        aria-label="Цифровые двойники: о продукте"
        lang="ru"
        className="me-auto flex min-h-11 min-w-11 items-center rounded-sm"
      >
        {(markOnly || markOnPhone || markBesideDisc) && (
          <BrandMark className={clsx("h-6", markOnPhone && "sm:hidden", markBesideDisc && "max-lg:hidden")} />
        )}
        {!markOnly && (
          <Brand className={clsx("leading-tight", markOnPhone && "max-sm:hidden", markBesideDisc && "lg:hidden")} />
        )}
      </Link>
      <div className={clsx("flex items-center gap-1", menusAtFoot && "max-sm:hidden")}>
        <SwitchMenus />
      </div>
      {children}
    </header>
  );
}
