/** How numbers and dates are written. The build of another language puts its own here, as it does with every Russian text. */
export const LOCALE = "ru-RU";
