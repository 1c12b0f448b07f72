import type { DayRange } from '../../domain/range.ts';
import { foldCase } from './fold-case.ts';

/** The conditions of a query and their values, numbered as they come. */
export class Conditions {
  readonly #parts: string[] = [];
  readonly values: unknown[] = [];

  /** The place of a further value. */
  place(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Each `?` of the condition stands for the same value. */
  and(condition: string, ...value: [] | [unknown]): this {
    const place = value.length === 1 ? this.place(value[0]) : '?';
    // Given as a function, because a plain replacement may read `$1` as something else.
    this.#parts.push(condition.replaceAll('?', () => place));
    return this;
  }

  within(column: string, { from, to }: DayRange): this {
    if (from !== null) this.and(`${column} >= ?`, from);
    if (to !== null) this.and(`${column} <= ?`, to);
    return this;
  }

  isOneOf(column: string, values: readonly unknown[]): this {
    // PostgreSQL knows no empty list.
    if (values.length === 0) return this.and('1 = 0');
    const places = values.map((value) => this.place(value));
    return this.and(`${column} in (${places.join(', ')})`);
  }

  /** Whether one of the folded columns holds the text, which is taken letter by letter. */
  hold(columns: readonly string[], text: string): this {
    // No column does, and PostgreSQL would not even compare.
    if (text.includes('\0')) return this.and('1 = 0');
    const pattern = `%${foldCase(text).replaceAll(/[!%_]/g, '!$&')}%`;
    return this.and(`(${columns.map((column) => `${column} like ? escape '!'`).join(' or ')})`, pattern);
  }

  get where(): string {
    return this.#parts.length === 0 ? '' : `where ${this.#parts.join(' and ')}`;
  }
}
