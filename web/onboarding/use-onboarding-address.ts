import { useCallback } from "react";
import { useSearchParams } from "wouter";

export const sources = ["telegram", "email", "whatsapp"] as const;
export type Source = (typeof sources)[number];

type Step = 1 | 2 | 3 | 4;

const NAMES = ["twin", "source", "step", "import", "pair", "seen", "talk", "reply", "teach", "correction"] as const;
type Change = Partial<Record<(typeof NAMES)[number], string | null>>;

const NONE: readonly string[] = [];

/**
 * State of the wizard in its URL, so that a reload continues there. `seen`: pairs shown before the current one. `talk`: the test chat;
 * `reply`: the answer to be rated. `teach`: the pair that may be taught; `correction`: the resulting correction.
 */
export function useOnboardingAddress() {
  const [search, setSearch] = useSearchParams();
  /** `push` adds a history entry, so that the browser's «back» undoes the change. */
  const change = useCallback(
    (values: Change, { push = false } = {}) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(values)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: !push },
      ),
    [setSearch],
  );
  const twinId = search.get("twin") ?? "";
  const asked = Number(search.get("step"));
  return {
    twinId,
    source: sources.find((name) => name === search.get("source")) ?? "telegram",
    // Without a twin only the first step is possible.
    step: (twinId === "" ? 1 : asked === 3 || asked === 4 ? asked : 2) as Step,
    importId: search.get("import") ?? "",
    pairId: search.get("pair") ?? "",
    seen: search.get("seen")?.split("-").filter(Boolean) ?? NONE,
    conversationId: search.get("talk") ?? "",
    replyId: search.get("reply") ?? "",
    teachId: search.get("teach") ?? "",
    correctionId: search.get("correction") ?? "",
    change,
  };
}

export type OnboardingAddress = ReturnType<typeof useOnboardingAddress>;
