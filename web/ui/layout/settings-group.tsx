import type { ReactNode } from "react";

interface SettingsGroupProps {
  id: string;
  title: string;
  badge?: ReactNode;
  description?: ReactNode;
  children: ReactNode;
}

/** A group of settings. At desktop width its name is on the left and its rows on the right, so that the page is read along one edge. */
export function SettingsGroup({ id, title, badge, description, children }: SettingsGroupProps) {
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-10 gap-y-4 border-t py-6 first:border-t-0 first:pt-0 lg:grid-cols-[14rem_minmax(0,1fr)]"
    >
      <header>
        <h2 id={id} className="scroll-mt-24 text-base">
          {title}
        </h2>
        {badge && <div className="mt-1">{badge}</div>}
        {description && <p className="mt-1 text-muted text-sm">{description}</p>}
      </header>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

interface SettingRowProps {
  id: string;
  title: ReactNode;
  badge?: ReactNode;
  about?: ReactNode;
  action?: ReactNode;
  /** Whether the setting cannot be changed, so that the row is greyed out. */
  muted?: boolean;
  children?: ReactNode;
}

export function SettingRow({ id, title, badge, about, action, muted = false, children }: SettingRowProps) {
  return (
    <section aria-labelledby={id} className="border-t py-5 first:border-t-0 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={id} className={muted ? "text-md text-muted" : "text-md"}>
              {title}
            </h3>
            {badge}
          </div>
          {about && <p className="mt-0.5 max-w-prose text-md text-muted">{about}</p>}
        </div>
        {/* On a phone the action follows the explanation, so that users read it before they act. */}
        {action && <div className="max-sm:order-last">{action}</div>}
        {children && <div className="mt-1 w-full">{children}</div>}
      </div>
    </section>
  );
}
