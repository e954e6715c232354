/** The two sizes at which every screen is judged (docs/screens.md). */
export const DESKTOP = { width: 1440, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;
