/**
 * Texts of the letters. They contain nothing that a stranger typed: a letter that its recipient did not request must not carry another
 * person's words.
 */
import type { Letter } from "./mail.ts";

export const confirmationLetter = (to: string, publicUrl: string, token: string): Letter => ({
  to,
  subject: "Подтвердите email",
  text: `Здравствуйте!

Этот адрес указан при регистрации на платформе «Цифровые двойники». Чтобы подтвердить его, откройте ссылку в том же браузере, в котором вы вошли:

${publicUrl}/confirm-email?token=${token}

Ссылка действует 24 часа и только один раз. Если вы не регистрировались, ничего не делайте.
`,
});

const STARTS_CLEAN = `
Этот адрес ни разу не был подтверждён, и мы не знаем, кто с ним зарегистрировался. Поэтому вместе с новым паролем аккаунт начнётся заново: всё, что в нём успели создать, будет удалено. Если регистрировались вы и хотите всё сохранить, войдите с прежним паролем и подтвердите адрес.
`;

/** @param startsClean whether the account's address was never confirmed, so that the reset gives a new account (unconfirmed-account.ts) */
export const resetLetter = (to: string, publicUrl: string, token: string, startsClean: boolean): Letter => ({
  to,
  subject: "Новый пароль",
  text: `Здравствуйте!

Чтобы задать новый пароль на платформе «Цифровые двойники», откройте ссылку:

${publicUrl}/reset-password?token=${token}${startsClean ? "&clean=1" : ""}
${startsClean ? STARTS_CLEAN : ""}
Ссылка действует 1 час и только один раз. После смены пароля вход на всех устройствах нужно выполнить заново. Если вы не запрашивали письмо, ничего не делайте: пароль останется прежним.
`,
});

export const invitationLetter = (to: string, publicUrl: string, token: string): Letter => ({
  to,
  subject: "Приглашение",
  text: `Здравствуйте!

Вас пригласили в организацию на платформе «Цифровые двойники». В какую именно, видно по ссылке; там же приглашение можно принять:

${publicUrl}/invitation?token=${token}

Ссылка действует 7 дней и только один раз. Если вы не ждали приглашения, ничего не делайте.
`,
});
