import { Link } from "wouter";
import { planCard, userCard } from "#web/display-values.ts";
import { paths } from "#web/paths.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";

/** The fixed plan in the sidebar and the drawer, as specified. */
export function PlanCard() {
  const { name, used, limit, percent } = planCard;
  return (
    <section aria-label={name} className="rounded-lg border p-4">
      <p className="flex flex-wrap items-center gap-2">
        <span lang="en" className="font-semibold text-md">
          {name}
        </span>
        <span className="ms-auto text-md text-muted tabular-nums">{percent}%</span>
      </p>
      <Progress value={percent} label="Использовано сообщений" className="my-2" />
      <p lang="ru" className="text-sm text-muted tabular-nums">
        {used} / {limit} сообщений
      </p>
      <Link
        href={`${paths.orgAdmin}?tab=billing`}
        lang="ru"
        className="mt-2 inline-block font-medium text-md text-primary-text underline-offset-4 hover:underline"
      >
        Улучшить тариф
      </Link>
    </section>
  );
}

/** The fixed user that the specification places in the sidebar and the drawer; the real one is in the header's menu. */
export function UserCard() {
  return (
    <Link
      href={paths.account}
      lang="ru"
      className="flex min-w-0 items-center gap-3 rounded-md px-1 py-0.5 hover:bg-hover"
    >
      <Avatar name={userCard.initial} size="sm" who="owner" />
      <div className="min-w-0">
        <p className="truncate font-medium text-md leading-tight">{userCard.name}</p>
        <p lang="en" className="truncate text-sm text-subtle">
          {userCard.caption}
        </p>
      </div>
    </Link>
  );
}
