interface ImportMetaEnv {
  /** The language of the build (vite.config.ts); undefined in tests, which read the Russian sources. */
  readonly PAGE_LANGUAGE?: "ru" | "en";
  readonly TRANSLATED?: boolean;
}
