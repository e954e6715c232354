import { useEffect } from "react";
import { useLiveInbox } from "#web/live/live.ts";
import { showInTitle } from "#web/shell/navigation.ts";
import { useWaitingCount } from "./queries.ts";

/** Hears what changes in the inbox on every screen, and keeps the count in the document's title. */
export default function WaitingWatch() {
  useLiveInbox();
  const count = useWaitingCount();
  useEffect(() => showInTitle(count), [count]);
  // Who signs out leaves no count behind.
  useEffect(() => () => showInTitle(0), []);
  return null;
}
