import type { DayRange } from '../../domain/range.ts';
import { containing, isStorable } from './text.ts';

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
