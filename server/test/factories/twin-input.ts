/** What the form of a new twin sends, for tests that need a twin and do not care which. */

export const TWIN = {
  name: "Анна",
  description: "Отвечает покупателям магазина",
  personality: "Внимательная, спокойная, шутит редко",
  communicationStyle: "Коротко и по делу",
  knowledgeArea: "Доставка и возврат",
};

/** For tests of meaning: what residents ask has many wordings. */
export const HOUSE_TWIN = { ...TWIN, name: "Дом", description: "Отвечает жильцам дома", knowledgeArea: "Дом и двор" };
