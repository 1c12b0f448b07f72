/**
 * Whether a JSON text has more values than this, without parsing it: what parsing and formatting cost depends on their number. Each value but
 * the first follows a comma or an opening bracket outside of strings. An empty list counts as two values.
 */
export function hasMoreValues(text: string, most: number): boolean {
  let values = 1;
  let isInString = false;
  for (let at = 0; at < text.length && values <= most; at += 1) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (isInString) at += character === '\\' ? 1 : 0;
    else if (character === ',' || character === '[' || character === '{') values += 1;
  }
  return values > most;
}
