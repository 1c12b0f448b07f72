/** FNV-1a: every operation and kind has a seed of its own, so that one of them alone repeats what it did among all others. */
export function seedFor(seed: number, ...names: string[]): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of names.join(' ')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
