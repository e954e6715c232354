/** The server's fixed sentences, from Russian to the page's language. The build for another language fills it from its catalogue. */
export const sentences: Readonly<Record<string, string>> = {};
