export interface Mailbox {
  name: string;
  address: string;
}

/** A mail that was decided on, kept in the transaction that decided it and sent after its commit. */
export interface NewMail {
  from: Mailbox;
  to: Mailbox;
  subject: string;
  text: string;
  html: string;
  createdAt: number;
}

export interface Mail extends NewMail {
  id: number;
}

/** Hands a mail on. It tells nobody of a failure who could not help: what was not sent is found again by the next start. */
export type SendMail = (mail: Mail) => Promise<void>;
