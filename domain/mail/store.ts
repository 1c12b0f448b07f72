import type { Mail, NewMail } from './mail.ts';

export interface MailStore {
  insert(mail: NewMail): Promise<number>;
  /** Those that nobody has handed on yet, oldest first. */
  unsent(afterId: number, limit: number): Promise<Mail[]>;
  markSent(id: number, at: number): Promise<void>;
}
