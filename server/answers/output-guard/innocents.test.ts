/** Ordinary sentences with dots, brackets, stars and at-signs that the guard must not change. */
import { expect, test } from "vitest";
import { guardOutput, outputGuard } from "./guard-output.ts";

const UNTOUCHED = `Принимаем карты, наличные и т. д.
Работаем до 20:00, т. е. сегодня успеете.
И т. п., и др., и пр.
Открыто с 9.00 до 19.00.
Запись на 10.30 или в 11. 15
Вес посылки 1 . 5 кг
Размер 1. 5 метра
Встречаемся в 10.30 у входа.
ул. Ленина. Дом 5
Подъезд 2 . Код 14
Подъезд 2. Код 14. Этаж 3.
г. Казань, пр. Победы, д. 7, кв. 12
Тел. в карточке. Звоните.
Цена 1 500 руб. за шт. без НДС
Стоимость 12. 500 рублей
Приём 05.12.2026 в 15 . 00
с 1. 12 по 10. 12
Срок 3 . 4 . 2027
ГОСТ 12.1.004, п. 3 . 2 . 1
Версия 2 . 0 прошивки
IP65, защита от брызг
Wi-Fi. Пароль на чеке.
Есть Wi-Fi . Пароль у администратора.
Пишите в WhatsApp. Отвечаем за час.
Оплата Visa. Mastercard тоже принимаем.
Привезём iPhone. Чехол в подарок.
формат .docx или .pdf
сохраните файл .csv
платформа .NET подойдёт
Разработка не ведётся... шучу
Это точка зрения мастера.
Наша точка на Мира открыта.
Торговая точка рядом с метро.
точка выдачи Ozon во дворе
Wi-Fi точка доступа в зале
Apple точка продаж закрыта
точка сбора у памятника
Поставьте точку. Ру не при чём.
ноль точка пять
Точка. Ком в горле.
Это отправная точка маршрута
how do I install a .deb file?
the .au mirror seems to be OK
a .com domain costs more
delete your .mozilla directory
the order is ready . it all works
dot product and dot matrix printer
the dot on the map
Всё готово . Приходите завтра .
готово , ждём . можно забрать
да . нет . не знаю
ок . спасибо
хорошо. приходите
см. рис. 2 и табл. 3
напр. так. и не иначе
Ответы [да|нет] подойдут оба
Размеры [S|M|L] в наличии
[см. прайс] на кассе
Варианты: [1] или [2]
В скобках (точка) ничего
шаг 1) шаг 2) шаг 3)
*цена без доставки
* первый пункт
5*3 = 15, 2 * 2 = 4
**важно** принесите паспорт
цена* указана без скидки
*wifi есть в зале
Нажмите *100# и вызов
код #5 и кабинет №3
Скидка 10 % @ выходные
5 @ 10 рублей
2 < 5, 7 > 3, люблю <3
<- назад и вперёд ->
температура <20 и >5
если x < y, то y > x
<< Привет >>
чай·кофе·какао
**Важно**. Приходите
*Note*. see below
snake_case и _курсив_.
5 кВт·ч в сутки, 20 Н·м
• первый • второй
чай • кофе
м. Тверская, выход 2
род. 1987 г. в г. Туле
А. С. Пушкин и Л. Н. Толстой
И. о. директора А. Петров
John F. Kennedy. Great.
We are open. Come in!
ok. see you tomorrow
sure. it is ready
thanks . the order is ready
a. b. c.
Mr. Smith. Mrs. Jones.
e. g. this one, i. e. that
Ph. D. in physics
10 . 20 . 30 рублей
№ 1 . № 2
кол-во 2 шт . цена 300
Всё.
...да... нет . . . может быть
Ждём!.. Приходите?!
Понедельник . Вторник . Среда
утром . вечером
Мы открыты / закрыты по графику
и/или, 24/7, кг/м3
Пн-Пт 9-18. Сб 10-16.
9. 30 утра
т.к. скоро праздник
Код домофона 12К3456 . Этаж 2
C++ . Java . Python
размер XL . цвет чёрный
"готово." и "сделано."`.split("\n");

/** A sentence that begins without a space gets one, and nothing else changes. */
const SPACED: [string, string][] = [
  ["готово.Приходите", "готово. Приходите"],
  ["Заказ собран.Ждём вас.Оплата картой", "Заказ собран. Ждём вас. Оплата картой"],
  ["открыты до восьми.Завтра тоже", "открыты до восьми. Завтра тоже"],
  ["Да.нет проблем", "Да. нет проблем"],
  ["в 10.30.Приходите", "в 10.30. Приходите"],
];

test("the table is no small one", () => expect(UNTOUCHED.length).toBeGreaterThanOrEqual(80));

test.each(UNTOUCHED)("ordinary text stays as it is: %s", (text) => {
  expect(guardOutput(text, [])).toBe(text.replace(/ {2,}/g, " "));
  const cut = outputGuard([]);
  const pieces = [...`Слышно: ${text} Конец`].map((char) => cut.push(char)).join("") + cut.end();
  expect(pieces).toBe(guardOutput(`Слышно: ${text} Конец`, []));
});

test.each(SPACED)("%s becomes %s", (text, expected) => expect(guardOutput(text, [])).toBe(expected));
