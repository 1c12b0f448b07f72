export interface Mailbox {
  name: string;
  address: string;
}

/** A mail, stored in the transaction that causes it and sent after its commit. */
export interface NewMail {
  from: Mailbox;
  to: Mailbox;
  subject: string;
  text: string;
  html: string;
  /** When it is due. */
  createdAt: number;
  /** Of mails about one topic at most one an hour is sent: see `queueHourly`. */
  topic?: string | null;
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

export interface MailClaim {
  now: number;
  leasedUntil: number;
  limit: number;
}

/** The result of an attempt. With neither `sentAt` nor `nextAt` the mail has failed, and stays stored with its error. */
export interface AttemptedMail {
  mail: ClaimedMail;
  sentAt: number | null;
  nextAt: number | null;
  error: string;
}

export interface MailRepository {
  insert(mail: NewMail): Promise<number>;
  /** The newest about the topic. */
  newestOf(topic: string): Promise<{ id: number; createdAt: number; isWaiting: boolean } | null>;
  /** Replaces what a mail that waits says. */
  rewrite(id: number, content: Pick<NewMail, 'to' | 'subject' | 'text' | 'html'>): Promise<void>;
  /** Leases due mails that no other worker has, the longest due first. */
  claim(claim: MailClaim): Promise<ClaimedMail[]>;
  /** Changes nothing for mails whose lease was taken over meanwhile. Of a mail that is not tried again the text is removed: it may have a link. */
  settle(attempted: readonly AttemptedMail[]): Promise<void>;
  /** What lies further ahead than it can be is from before the clock was set back: it is taken to where it could be at most. */
  clampSchedule(now: number, longest: { lease: number; waits: readonly number[] }): Promise<void>;
  /** Gives back what was not tried, as if it had not been taken. */
  release(mail: ClaimedMail): Promise<void>;
  /** The newest of those that were given up, and why. */
  lastGivenUp(): Promise<{ id: number; error: string } | null>;
  /** Whether there is something to claim. */
  anyDue(now: number): Promise<boolean>;
}
