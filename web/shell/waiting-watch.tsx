import { useEffect } from "react";
import { useLiveInbox } from "#web/parts/live/live.ts";
import { useWaitingCount } from "#web/parts/waiting/queries.ts";
import { showInTitle } from "#web/shell/navigation.ts";

/** Hears what changes in the inbox on every screen, and keeps the count in the document's title. */
export default function WaitingWatch() {
  useLiveInbox();
  const count = useWaitingCount();
  useEffect(() => showInTitle(count), [count]);
  // Signing out clears the count.
  useEffect(() => () => showInTitle(0), []);
  return null;
}
