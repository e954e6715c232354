import { useEffect } from "react";
import { useLiveInbox } from "#web/parts/live/live.ts";
import { useWaitingCount } from "#web/parts/waiting/queries.ts";
import { useSession } from "#web/session/session.tsx";
import { showInTitle } from "#web/shell/navigation.ts";

/** Receives inbox changes on every screen, and keeps the count in the document's title. */
export default function WaitingWatch() {
  useLiveInbox();
  const count = useWaitingCount();
  useEffect(() => showInTitle(count), [count]);
  usePushRenewal();
  useEffect(() => () => showInTitle(0), []);
  return null;
}

/** Renews the push subscription if this user has enabled it in this browser. */
function usePushRenewal() {
  const userId = useSession().user?.id;
  useEffect(() => {
    if (userId === undefined || localStorage.getItem("push-device") === null) return;
    void import("#web/parts/push/this-browser.ts").then(({ renew }) => renew(userId));
  }, [userId]);
}
