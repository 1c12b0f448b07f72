/**
 * What two spellings have in common when case is ignored. Computed here and kept in a column of its own, because the engines disagree:
 * SQLite's lower() knows ASCII alone, PostgreSQL's depends on the locale.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase();
