export interface Preferences {
  readonly code?: string;
  readonly example?: string;
}

// RFC 7240: preferences are separated by commas; each is a token [ "=" word ], then parameters, which are ignored here.
// A word is a token or a quoted string.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const element = new RegExp(`(?:[^,"]|${quoted})+`, 'g');
const preference = new RegExp(`^(${token})(?:\\s*=\\s*(${token}|${quoted}))?\\s*(?:;|$)`);

/** Parses `Prefer: code=409, example="in_progress"`. Ignores other preferences; the first of a name counts, as the RFC requires. */
export function parsePrefer(header: string): Preferences {
  const preferences: Record<string, string> = {};
  for (const [text] of header.matchAll(element)) {
    const [, name = '', value = ''] = preference.exec(text.trim()) ?? [];
    if (/^(code|example)$/i.test(name)) preferences[name.toLowerCase()] ??= unquote(value);
  }
  return preferences;
}

/** The value of `Preference-Applied`. */
export const formatPreferences = (preferences: Preferences): string =>
  Object.entries(preferences)
    .map(([name, value]) => `${name}=${quote(String(value))}`)
    .join(', ');

const unquote = (value: string): string => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);

const quote = (value: string): string => (new RegExp(`^${token}$`).test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`);
