/** All reads and writes go through here. A unit of work must not begin another one inside. */
export interface UnitOfWork<Repositories> {
  /** Runs one statement, which sees what is committed. A second statement is refused: use `read`. */
  query<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result>;
  /** A consistent snapshot of what is committed. */
  read<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result>;
  /** All or nothing. `work` may run again after a serialization failure, so it must have no effect beside its statements. */
  write<Result>(work: (transaction: Transaction<Repositories>) => Promise<Result>, isolation?: IsolationLevel): Promise<Result>;
}

export interface HeavyReads<Repositories> {
  /** As `read`, for work that may take as long as there is history. Other reads do not wait for it. */
  readHeavy<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result>;
}

/** The repositories of a write: functions that need one cannot be called from a read. */
export type Transaction<Repositories> = Repositories & { readonly canWrite: true };

/**
 * `serializable` is the default. `exclusive` is serializable while no other write of any process runs, for work that conflicts with most
 * others: it would fail and run again. `unlocked` is serializable for work of minutes, which no other write may have to wait for.
 * `read-committed` is for work that locks the rows it decides on first, such as workers that share a queue: each statement sees what is
 * committed when it begins, and transactions with other rows do not fail each other.
 */
export type IsolationLevel = 'serializable' | 'exclusive' | 'unlocked' | 'read-committed';
