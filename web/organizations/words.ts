/** What the organisation's figures of messages count and those of /analytics do not (docs/decisions/037-analytics-counts.md). */
export const WITH_TESTS = "вместе с\u00a0тестовыми чатами";
