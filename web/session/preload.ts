// The login loads the next screen's code during its call. The table of screens knows that code but also imports the login, so it
// registers the function here when the application starts.
let preload: (path: string) => void = () => {};

export function preloadBy(fetch: (path: string) => void) {
  preload = fetch;
}

/** Loads the code of the screen that a signed-in user sees at `path`. */
export const preloadSignedIn = (path: string) => preload(path);
