import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import * as z from "zod/mini";
import { authApi, type SignedInUser, type SignInResult } from "#contract/organizations/auth.ts";
import { ApiError, isNetworkError } from "#web/api/api-error.ts";
import {
  authToken,
  clearDamagedStore,
  dropSignIn,
  onSessionExpired,
  onTokenOfOtherTab,
  storeSignIn,
  storeUser,
} from "#web/api/auth-token.ts";
import { call } from "#web/api/call.ts";
import { queryClient } from "#web/api/query-client.ts";
import { dropDrafts } from "#web/drafts.ts";
import { paths } from "#web/paths.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { LenientSignedInUser } from "./signed-in-user.ts";

type SessionState =
  | { status: "loading" }
  | { status: "authenticated"; user: SignedInUser }
  /** `left` is true after a logout: the login then does not lead back to the page that was left. */
  | { status: "unauthenticated"; left: boolean };

interface Session {
  state: SessionState;
  user: SignedInUser | undefined;
  /** Stores the token and the user from the response of any sign-in call. */
  login: (answer: Pick<SignInResult, "token" | "user">) => void;
  logout: () => Promise<void>;
  /** Checks local storage: without a token, or with unreadable user data, the user is signed out. */
  checkStore: () => void;
  refresh: () => Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession must be used within a SessionProvider");
  return session;
}

/** A permanently signed-out session, for a page that is rendered at build time. */
export function SignedOutSession({ children }: { children: ReactNode }) {
  const never = () => Promise.reject(new Error("Nobody signs in while a page is built"));
  const session: Session = {
    state: { status: "unauthenticated", left: false },
    user: undefined,
    login: never,
    logout: never,
    refresh: never,
    checkStore: () => {},
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The displayed name of the signed-in user; "" when signed out. */
export function personName(user: SignedInUser | undefined): string {
  return user ? user.fullName || user.username || user.email || "" : "";
}

const readUser = { ...authApi.verify, output: z.object({ user: LenientSignedInUser }) };

/** Pauses in milliseconds between tries of the first verification, in case the server is briefly unavailable. */
const RETRY_PAUSES = [400, 1000, 2000];

async function verify(signal: AbortSignal): Promise<SignedInUser> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await call(readUser, { signal })).user;
    } catch (error) {
      const pause = RETRY_PAUSES[attempt];
      const away = isNetworkError(error) || (error instanceof ApiError && [502, 503, 504].includes(error.status));
      if (!away || pause === undefined || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SessionState>(() => {
    clearDamagedStore();
    return authToken() ? { status: "loading" } : { status: "unauthenticated", left: false };
  });
  /** The token that is being verified: the stored one at start, then each that another tab stores. */
  const [unverified, setUnverified] = useState(() => ({ token: authToken() }));

  const end = useCallback((left: boolean) => {
    dropSignIn();
    queryClient.clear();
    setState({ status: "unauthenticated", left });
  }, []);

  const checkStore = useCallback(() => {
    clearDamagedStore();
    if (authToken() === null) end(false);
  }, [end]);

  const login = useCallback<Session["login"]>(({ token, user }) => {
    queryClient.clear();
    storeSignIn(token, user);
    setState({ status: "authenticated", user });
  }, []);

  const logout = useCallback(async () => {
    // The user is signed out whatever the server says; if the server is unreachable, the token expires on its own.
    await call(authApi.logout).catch(() => undefined);
    dropDrafts();
    end(true);
    navigate(paths.login);
  }, [end]);

  const refresh = useCallback(async () => {
    const { user } = await call(readUser);
    storeUser(user);
    setState({ status: "authenticated", user });
  }, []);

  useEffect(() => {
    if (unverified.token === null) return;
    const controller = new AbortController();
    verify(controller.signal).then(
      (user) => {
        if (controller.signal.aborted) return;
        storeUser(user);
        setState({ status: "authenticated", user });
      },
      () => {
        if (!controller.signal.aborted) end(false);
      },
    );
    return () => controller.abort();
  }, [end, unverified]);

  const signedIn = useRef(false);
  useEffect(() => {
    signedIn.current = state.status === "authenticated";
  }, [state]);

  useEffect(
    () =>
      onSessionExpired(() => {
        // A wrong password also causes a 401; without a session there is nothing to end.
        if (!signedIn.current) return;
        end(false);
        // Shown after the failed call's own toast: only one toast is visible, and this one explains what to do.
        setTimeout(() =>
          toast({ title: "Сеанс завершён", description: "Войдите снова, чтобы продолжить", variant: "destructive" }),
        );
      }),
    [end],
  );

  useEffect(
    () =>
      onTokenOfOtherTab((token) => {
        setUnverified({ token });
        // Another tab signed out, so this one must stop showing private data.
        if (token === null) return end(true);
        // Another tab signed in, perhaps as another user, and the calls of this tab already carry that token.
        queryClient.clear();
        setState({ status: "loading" });
      }),
    [end],
  );

  const session = useMemo<Session>(
    () => ({
      state,
      user: state.status === "authenticated" ? state.user : undefined,
      login,
      logout,
      refresh,
      checkStore,
    }),
    [state, login, logout, refresh, checkStore],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
