import type { DayRange } from '../../domain/dates.ts';

/**
 * The form of a text that is compared where case is ignored. Computed here and stored in a column of its own, because the engines disagree:
 * lower() of SQLite knows ASCII alone, that of PostgreSQL depends on the locale.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();

/** PostgreSQL stores no NUL, so no row holds such a text; a comparison with one would be an error there. */
export const isStorable = (text: string): boolean => !text.includes('\0');

/** For `like … escape '!'` on a folded column: contains this text, whatever wildcards it holds. */
export const containing = (text: string): string => `%${foldCase(text).replaceAll(/[!%_]/g, '!$&')}%`;

/** Matches whole characters beyond the first plane too, which `toStorable` keeps. */
const suspicious = /[\0\ud800-\udfff]/;

/** Replaces what PostgreSQL cannot store, NUL and lone surrogates, in texts from outside that must not fail the write they are part of. */
export const toStorable = (text: string): string => (suspicious.test(text) ? text.replaceAll(/\0|\p{Surrogate}/gu, '\u{fffd}') : text);

/** The conditions of a statement and their values, numbered in the order in which they are added. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  place(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Each `?` of the condition is the one value. */
  and(condition: string, ...value: [] | [unknown]): this {
    const place = value.length === 1 ? this.place(value[0]) : '?';
    // A function, because a replacement text would read `$1` as a group of the pattern.
    this.#parts.push(condition.replaceAll('?', () => place));
    return this;
  }

  within(column: string, { from, to }: DayRange): this {
    if (from !== null) this.and(`${column} >= ?`, from);
    if (to !== null) this.and(`${column} <= ?`, to);
    return this;
  }

  isOneOf(column: string, values: readonly unknown[]): this {
    // PostgreSQL accepts no empty list.
    if (values.length === 0) return this.and('1 = 0');
    const places = values.map((value) => this.place(value));
    return this.and(`${column} in (${places.join(', ')})`);
  }

  /** One of the folded columns contains the text, ignoring case. */
  contain(columns: readonly string[], text: string): this {
    if (!isStorable(text)) return this.and('1 = 0');
    return this.and(`(${columns.map((column) => `${column} like ? escape '!'`).join(' or ')})`, containing(text));
  }

  get where(): string {
    return this.#parts.length === 0 ? '' : `where ${this.#parts.join(' and ')}`;
  }
}
