// The login fetches the code of the next screen beside its call. Which code that is the table of screens knows, and it knows the login too:
// so the table says it here when the application starts.
let preload: (path: string) => void = () => {};

export function preloadBy(fetch: (path: string) => void) {
  preload = fetch;
}

/** Fetches the code of what a signed-in person sees at `path`. */
export const preloadSignedIn = (path: string) => preload(path);
