/**
 * Whether a JSON text has more values or levels than these, without parsing it: what parsing and formatting cost depends on their number. Each
 * value but the first follows a comma or an opening bracket outside of strings. An empty list counts as two values.
 */
export function exceedsJson(text: string, maxValues: number, maxLevels = Number.POSITIVE_INFINITY): boolean {
  let values = 1;
  let level = 0;
  for (let at = 0; at < text.length && values <= maxValues && level <= maxLevels; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      values += 1;
      level += 1;
    } else if (character === ']' || character === '}') level -= 1;
  }
  return values > maxValues || level > maxLevels;
}

/** Where the string that begins here is closed. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
