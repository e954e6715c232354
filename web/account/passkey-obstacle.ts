/** A numeric address, to which no passkey can be bound, because passkeys need a host name. */
const IP_ADDRESS = /^(?:[\d.]+|\[.*\])$/;

/**
 * Says why no passkey can be added here, for an operator who could change it. @param host that passkeys are bound to; null: the server has
 * no
 * name
 */
export function passkeyObstacle(host: string | null | undefined): string {
  if (IP_ADDRESS.test(location.hostname))
    return "Ключ доступа привязывается к имени сайта, а сейчас сайт открыт по IP-адресу. Откройте его по имени, и ключ можно будет добавить.";
  if (!isSecureContext) return "Ключи доступа работают только там, где адрес сайта начинается с https.";
  if (!("PublicKeyCredential" in globalThis)) return "Этот браузер не умеет входить с ключом доступа.";
  if (typeof host === "string")
    return `Ключи доступа работают только на сайте ${host}, а сейчас он открыт по другому адресу.`;
  return "У сервера нет имени, к которому можно привязать ключ доступа.";
}
