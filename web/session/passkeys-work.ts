/** Whether this browser and address can use passkeys, which are bound to the host name `host`. */
export const passkeysWork = (host: string | null | undefined): boolean =>
  typeof host === "string" &&
  "PublicKeyCredential" in globalThis &&
  (location.hostname === host || location.hostname.endsWith(`.${host}`));
