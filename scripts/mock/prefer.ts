export interface Preferences {
  readonly code?: string;
  readonly example?: string;
}

// RFC 7240: preferences are separated by commas; each is a token [ "=" word ], followed by parameters that mean nothing here.
// A word is a token or a quoted string.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const element = new RegExp(`(?:[^,"]|${quoted})+`, 'g');
const preference = new RegExp(`^(${token})(?:\\s*=\\s*(${token}|${quoted}))?\\s*(?:;|$)`);

/** Reads `Prefer: code=409, example="in_progress"`. Other preferences are ignored, and the first of a name counts, as the RFC says. */
export function readPrefer(header: string): Preferences {
  const preferences = new Map<string, string>();
  for (const [text] of header.matchAll(element)) {
    const [, name, value = ''] = preference.exec(text.trim()) ?? [];
    if (name !== undefined && !preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), unquote(value));
  }
  const [code, example] = [preferences.get('code'), preferences.get('example')];
  return { ...(code !== undefined && { code }), ...(example !== undefined && { example }) };
}

/** The value of `Preference-Applied`. */
export function writePreferences(preferences: Preferences): string {
  return Object.entries(preferences)
    .map(([name, value]) => `${name}=${quote(String(value))}`)
    .join(', ');
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

function quote(value: string): string {
  return new RegExp(`^${token}$`).test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
