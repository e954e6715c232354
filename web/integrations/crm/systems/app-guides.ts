import type { CrmSystem } from "#contract/integrations/crm.ts";

interface AppGuide {
  make: string;
  page: string;
  open: string;
  paste: string;
  keys: string;
  id: string;
  secret: string;
}

/** How to create an application in each system, with the labels of its screens. */
export const APP_GUIDES: Record<CrmSystem, AppGuide> = {
  amocrm: {
    make: "Откройте амоМаркет, нажмите «⋮» справа вверху, затем «Создать интеграцию» и «Внешняя».",
    page: "/amo-market",
    open: "Открыть амоМаркет",
    paste: "Вставьте этот адрес в поле «Ссылка для перенаправления», отметьте «Предоставить доступ: все» и сохраните.",
    keys: "Откройте созданную интеграцию, вкладку «Ключи и доступы», и скопируйте оттуда два значения.",
    id: "ID интеграции",
    secret: "Секретный ключ",
  },
  bitrix24: {
    make: "Откройте «Разработчикам», выберите «Другое», затем «Локальное приложение» и отметьте «Использует только API».",
    page: "/devops/",
    open: "Открыть «Разработчикам»",
    paste: "Вставьте этот адрес в поле «Путь вашего обработчика», добавьте право «CRM (crm)» и сохраните.",
    keys: "После сохранения Битрикс24 покажет два значения. Скопируйте их.",
    id: "Код приложения (client_id)",
    secret: "Ключ приложения (client_secret)",
  },
};
