/** Best first: of two that a client likes equally, it gets the smaller one. */
const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

/** Plain is fine unless it is said not to be, and better than nothing; what is asked for by name goes before it. */
const unnamed = 0.0001;

/** Which form of an answer a client wants most, by its Accept-Encoding (RFC 9110, 12.5.3). One that wants none of them gets it plain. */
export function codingFor(header: string | string[] | undefined): Coding {
  if (header === undefined) return 'identity';
  const weights = weightsIn(String(header));
  const weightOf = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'identity' ? plainWeight(weights) : (weights.get('*') ?? 0));
  // Of equals the first stays the first.
  const [best = 'identity'] = codings.filter((coding) => weightOf(coding) > 0).toSorted((one, other) => weightOf(other) - weightOf(one));
  return best;
}

const plainWeight = (weights: ReadonlyMap<string, number>): number => (weights.get('*') === 0 ? 0 : unnamed);

/** `gzip;q=0.5, br` as weights by name. What cannot be read is not wanted. */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const [, weight = '1'] = parameters.map((parameter) => /^q\s*=\s*(.*)$/.exec(parameter)).find((found) => found !== null) ?? [];
    const isWeight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight);
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, isWeight ? Number(weight) : 0);
  }
  return weights;
}
