/** How data sets are stored, past everything that the service does to protect its database. */
export interface Storage {
  /** Stored between runs, outside of git. */
  folder: string;
  urlOf(name: string, isEmptied: boolean): Promise<string>;
  /** Runs statements on empty tables, with indexes created last: over all rows at once they take a tenth of the time. */
  fill(url: string, statements: readonly string[]): Promise<void>;
  execute(url: string, statements: readonly string[]): Promise<void>;
  copy(url: string, name: string): Promise<{ url: string; remove(): Promise<void> }>;
}
