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
