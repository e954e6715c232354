/** The organisation's message figures include test chats, unlike those of /analytics (docs/decisions/037-analytics-counts.md). */
export const WITH_TESTS = "вместе с\u00a0тестовыми чатами";
