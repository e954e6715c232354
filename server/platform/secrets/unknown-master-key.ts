/** The database knows none of the configured master keys, so no encrypted value could be decrypted. The message is for the operator. */
export class UnknownMasterKey extends Error {
  constructor() {
    super(
      "MASTER_KEY не тот, которым зашифрованы данные. Верните прежний ключ; чтобы сменить его, задайте новый в MASTER_KEY, " +
        "прежний в MASTER_KEY_PREVIOUS и выполните npm run rotate-master-key.",
    );
  }
}
