interface ImportMetaEnv {
  /** The language that the build is made in (vite.config.ts); undefined in tests, which read the Russian sources. */
  readonly PAGE_LANGUAGE?: "ru" | "en";
  readonly TRANSLATED?: boolean;
}
