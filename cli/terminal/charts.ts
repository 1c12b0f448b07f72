/** What charts are drawn with. */
export interface Pens {
  /** From nothing to the most. */
  levels: readonly string[];
  /** A whole cell of a bar, and what less than one is drawn with, from the least. */
  full: string;
  parts: readonly string[];
}

export const blocks: Pens = { levels: [...'▁▂▃▄▅▆▇█'], full: '█', parts: [...'▏▎▍▌▋▊▉'] };
export const ascii: Pens = { levels: [...'_.-:=+*#'], full: '#', parts: [] };

/** Two cells for each value, high as its part of the greatest. What is not nothing is never drawn as nothing. */
export function sparkLine(values: readonly number[], { levels }: Pens): string {
  const most = Math.max(0, ...values);
  const highest = levels.length - 1;
  const heightOf = (value: number): number => (value <= 0 ? 0 : Math.max(1, Math.round((value / most) * highest)));
  return values.map((value) => levels[heightOf(value)]?.repeat(2)).join('');
}

/** A bar of at most so many cells, long as the value's part of the most. */
export function bar(value: number, most: number, { full, parts }: Pens, cells: number): string {
  if (value <= 0 || most <= 0) return '';
  const stepsOfCell = parts.length + 1;
  const steps = Math.round((value / most) * cells * stepsOfCell);
  const rest = parts[(steps % stepsOfCell) - 1] ?? '';
  return full.repeat(Math.floor(steps / stepsOfCell)) + rest || (parts[0] ?? full);
}
