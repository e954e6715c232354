import { clsx } from "clsx";
import { Link, useLocation } from "wouter";
import { useLanguage } from "#web/i18n/language.ts";
import { Tooltip } from "#web/ui/overlays/tooltip.tsx";
import { isCurrent, type Section } from "./sections.ts";

interface SectionLinkProps {
  section: Section;
  /** Whether only the icon is visible; the name is in the tooltip. */
  collapsed?: boolean;
  onFollow?: () => void;
}

export function SectionLink({ section, collapsed = false, onFollow }: SectionLinkProps) {
  const [path] = useLocation();
  const { t } = useLanguage();
  const current = isCurrent(section, path);
  const badge = typeof section.badge === "string" ? t(section.badge) : section.badge;
  const about = section.about && t(section.about);
  const link = (
    <Link
      href={section.path}
      onClick={onFollow}
      aria-current={current ? "page" : undefined}
      className={clsx(
        "relative flex min-h-10 items-center gap-2 rounded-md text-md outline-offset-[-2px] transition-colors pointer-coarse:min-h-control",
        collapsed ? "justify-center" : "px-3 py-1.5",
        // The font weight is constant, because a bolder name would be truncated beside a number.
        current ? "bg-primary-soft text-primary-text" : "text-muted hover:bg-hover hover:text-fg",
      )}
    >
      <section.icon aria-hidden className="icon" />
      <span className={collapsed ? "sr-only" : "min-w-0 flex-1"}>
        <span className={collapsed ? "" : "block truncate"}>{t(section.label)}</span>
        {about && !collapsed && <span className="block text-sm leading-tight">{about}</span>}
      </span>
      {badge !== undefined && !collapsed && (
        <span
          className={clsx(
            "rounded-full px-2 font-medium text-sm tabular-nums",
            current ? "bg-surface text-primary-text" : "bg-hover text-muted",
          )}
        >
          {badge}
        </span>
      )}
    </Link>
  );
  if (!collapsed) return link;
  return (
    <Tooltip side="right" label={[t(section.label), about].filter(Boolean).join(": ")}>
      {link}
    </Tooltip>
  );
}
