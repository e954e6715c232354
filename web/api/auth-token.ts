// The two local storage keys that the specification prescribes.
const TOKEN = "auth_token";
const USER = "user_data";

export function authToken(): string | null {
  return localStorage.getItem(TOKEN);
}

export function storeSignIn(token: string, user: unknown) {
  localStorage.setItem(TOKEN, token);
  localStorage.setItem(USER, JSON.stringify(user));
}

export function storeUser(user: unknown) {
  localStorage.setItem(USER, JSON.stringify(user));
}

/** Clears a store with unreadable user data, so that the user must sign in again. */
export function clearDamagedStore() {
  const stored = localStorage.getItem(USER);
  if (stored === null) return;
  try {
    JSON.parse(stored);
  } catch {
    localStorage.clear();
  }
}

export function dropSignIn() {
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(USER);
}

export function authorization(): Record<string, string> {
  const token = authToken();
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** Calls the listener when another tab signs in or out, with the token that is stored now. */
export function onTokenOfOtherTab(listener: (token: string | null) => void): () => void {
  function changed({ key }: StorageEvent) {
    // When the whole storage is cleared, the event has no key.
    if (key === TOKEN || key === null) listener(authToken());
  }
  addEventListener("storage", changed);
  return () => removeEventListener("storage", changed);
}

const expiryListeners = new Set<() => void>();

/** Calls the listener when a call with the stored token, or without one if none is stored, returned 401. */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/** Reports a 401 with the token of the rejected call, or null if it had none; a sign-in made in the meantime is not affected. */
export function announceSessionExpired(refused: string | null) {
  if (refused !== authToken()) return;
  for (const listener of expiryListeners) listener();
}
