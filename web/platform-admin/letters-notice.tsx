import { useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { platformApi } from "#contract/organizations/auth.ts";
import { queryOf } from "#web/api/query.ts";
import { LettersAdvice } from "#web/parts/health/letters-advice.tsx";

/** Tells the operator alone why no email can be sent, and what to configure. */
export function LettersNotice() {
  const config = useQuery(queryOf(platformApi.config));
  if (config.data?.letters !== "log") return null;
  return (
    <p role="note" className="mb-6 flex gap-3 rounded-lg bg-warning-soft px-4 py-3 text-md text-warning-text md:px-5">
      <MailWarning aria-hidden className="icon mt-0.5 shrink-0" />
      <span className="min-w-0">
        Письма с&nbsp;этого сервера не&nbsp;уходят. <LettersAdvice />
      </span>
    </p>
  );
}
