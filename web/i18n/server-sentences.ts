/** Fixed sentences of the server in the page's language, Russian → translated: the build of another language fills it from its catalogue. */
export const sentences: Readonly<Record<string, string>> = {};
