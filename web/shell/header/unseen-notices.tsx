import { useQuery } from "@tanstack/react-query";
import * as Popover from "radix-ui/popover";
import { Link } from "wouter";
import { accountApi } from "#contract/organizations/account.ts";
import { queryOf } from "#web/api/query.ts";
import { paths } from "#web/paths.ts";

/** Unseen security notices of the own account, above the activity. Renders nothing without any or after a failure. */
export function UnseenNotices() {
  const { data } = useQuery({ ...queryOf(accountApi.notices), staleTime: 0 });
  const unseen = data?.filter(({ seen }) => !seen) ?? [];
  if (unseen.length === 0) return null;
  return (
    <div className="border-b bg-warning-soft px-4 py-3 text-md text-warning-text">
      <p className="[overflow-wrap:anywhere]">{unseen[0]!.text}</p>
      <Popover.Close asChild>
        <Link href={paths.account} className="font-medium underline underline-offset-4">
          {unseen.length === 1 ? "Проверить безопасность аккаунта" : `Ещё событий: ${unseen.length - 1}. Проверить`}
        </Link>
      </Popover.Close>
    </div>
  );
}
