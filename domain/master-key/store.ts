/** Which master key a database belongs to: a known text, sealed with it. */
export interface MasterKeyStore {
  proof(): Promise<string | null>;
  /** Unless there is one. */
  leaveProof(sealed: string): Promise<void>;
  replaceProof(sealed: string): Promise<void>;
  setWebhookSecret(webhookId: number, encryptedSecret: string): Promise<void>;
}
