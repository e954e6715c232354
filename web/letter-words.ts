/** Texts for when no email can be sent: the operator reads what to configure, other users what to do instead. */
export const NO_LETTER = "Письмо сейчас отправить нельзя.";

export function invitationNotSent(email: string, operator: boolean): string {
  return operator
    ? `Почта на этом сервере не настроена, письмо не отправлено. Ссылка для ${email} записана в журнал сервера.`
    : `${NO_LETTER} Приглашение создано: ссылку для ${email} передаст администратор платформы.`;
}
