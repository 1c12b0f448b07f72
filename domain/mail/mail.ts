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

/** A mail that one worker has leased. The end of the lease also identifies it. */
export interface ClaimedMail extends Mail {
  /** 1 for the first. */
  attempt: number;
  leasedUntil: number;
}

/** `permanent`: the receiving side said that trying again is of no use. */
export type MailOutcome = { kind: 'sent' } | { kind: 'failed'; permanent: boolean; message: string };

/** Sends a mail. Never rejects. The signal aborts it. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<MailOutcome>;
