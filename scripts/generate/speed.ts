const [begin, end] = ['<!-- From docs/BENCHMARKS.md, by npm run generate: -->', '<!-- until here. -->'];

/** The README with the ratios to Fastify of the benchmarks' valid rows. Without any, only the link to the benchmarks is left. */
export function withSpeed(readme: string, benchmarks: string): string {
  const [before, rest] = readme.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md needs the lines ${begin} and ${end}.`);
  const items = benchmarks.split('\n### ').slice(1).flatMap(speedsOf);
  const sentence =
    'CPU time against Fastify 5 with Ajv and the same engine, without a cache, where the measurement is valid ([benchmarks](docs/BENCHMARKS.md), also where we lose):';
  const text = items.length === 0 ? 'See the [benchmarks](docs/BENCHMARKS.md).' : `${sentence}\n\n${items.join('\n')}`;
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

/** Of the table of one engine, which begins with its name. */
function speedsOf(section: string): string[] {
  const [engine, ...lines] = section.split('\n');
  const [head = [], , ...rows] = lines.filter((line) => line.startsWith('| ')).map((line) => line.split('|').map((cell) => cell.trim()));
  const [what, ratio, width] = ['what', '÷ Fastify', '95 %'].map((title) => head.indexOf(title)) as [number, number, number];
  return rows
    .filter((row) => row[ratio] && !row[width]?.endsWith('invalid'))
    .map((row) => `- ${engine}, ${row[what]}: ${row[ratio]?.split(' ')[0]} times`);
}
