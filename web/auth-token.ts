// The two keys that the specification names in local storage.
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

/** Stored user data that cannot be read means a damaged store: everything in it goes, and the person signs in again. */
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

/** Tells when another tab signed in or out, with the token that is stored now. */
export function onTokenOfOtherTab(listener: (token: string | null) => void): () => void {
  function changed({ key }: StorageEvent) {
    // A cleared store has no key.
    if (key === TOKEN || key === null) listener(authToken());
  }
  addEventListener("storage", changed);
  return () => removeEventListener("storage", changed);
}

const expiryListeners = new Set<() => void>();

/** Tells when a call with the stored token, or without one where none is stored, was answered with 401. */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/** Called with the token of the call that was refused, null where it had none; a sign-in that came meanwhile is not touched. */
export function announceSessionExpired(refused: string | null) {
  if (refused !== authToken()) return;
  for (const listener of expiryListeners) listener();
}
