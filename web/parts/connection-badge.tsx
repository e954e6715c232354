import { Badge } from "#web/ui/badge.tsx";
import { connectionState, listWord, type ShownConnection } from "./connection-states.ts";

/** The state of a channel in words, the same badge wherever a channel stands. */
export function ConnectionBadge(shown: ShownConnection) {
  const { name, tone } = connectionState(shown);
  return <Badge tone={tone}>{name}</Badge>;
}

/** The same in the list, which is specified to say «Активна» or «Неактивна»: a word beside the badge, since two badges contradict each other. */
export function ListBadges(shown: ShownConnection) {
  const word = listWord(shown);
  return (
    <>
      <ConnectionBadge {...shown} />
      {word && <span className="text-sm text-subtle">{word}</span>}
    </>
  );
}
