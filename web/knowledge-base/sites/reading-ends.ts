import { useEffect, useRef } from "react";
import type { Website } from "#contract/knowledge/websites.ts";
import { KNOWLEDGE } from "#contract/tags.ts";
import { refresh } from "#web/api/refresh.ts";
import { plural } from "#web/i18n/plural.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { changeOf } from "./site-row.tsx";

/** Announces the end of a crawl that was seen running, and refetches what it changed. */
export function useReadingEnds(sites: readonly Website[] | undefined) {
  const reading = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (sites === undefined) return;
    for (const { id, state, url, pages, reason } of sites) {
      if (!reading.current.has(id) || state === "reading" || state === "cancelled") continue;
      const count = plural(pages.documents, ["страница", "страницы", "страниц"]);
      toast(
        state === "ready"
          ? {
              title: "Сайт прочитан",
              description: [`${new URL(url).host}: ${count}.`, changeOf(pages)].join(" ").trim(),
            }
          : {
              title: pages.documents === 0 ? "Сайт не прочитан" : "Сайт прочитан не до конца",
              description: reason ?? undefined,
              variant: "destructive",
            },
      );
      refresh({ tags: KNOWLEDGE });
    }
    reading.current = new Set(sites.filter(({ state }) => state === "reading").map(({ id }) => id));
  }, [sites]);
}
