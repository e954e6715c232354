/** Names that programs give and that customers must not read: «status», «order id», «createBookingV2». */

/** The text where it has Cyrillic letters, otherwise "". */
export const russian = (text: string): string => (/[а-яё]/i.test(text) ? text : "");

/** Whether the label only repeats what a program calls the place. Capitals alone are an abbreviation that people use too: «SKU». */
export const isProgramName = (label: string, name: string): boolean =>
  /[a-z]/.test(label) && spaced(label) === spaced(name.split(".").at(-1)!);

const spaced = (text: string): string => text.trim().replace(/[\s_-]+/g, " ");

/** Whether a title is the name of a call, «createBookingV2» or «GET /orders». A brand begins with a capital letter. */
export const isProgramTitle = (title: string): boolean =>
  russian(title) === "" && /^[a-z]|[a-z][A-Z]|[_/]/.test(title.trim());
