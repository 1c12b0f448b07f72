import type { Family, Labels, Sample } from './family.ts';

/** What a scraper is told that it gets. */
export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** The text that Prometheus reads. A family without samples is left out. */
export const textOf = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map((family) => `${headOf(family)}${family.samples.map((sample) => lineOf(family, sample)).join('')}`)
    .join('');

const headOf = ({ name, help, type }: Family): string => `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;

const lineOf = ({ name }: Family, { part, labels, value }: Sample): string => `${name}${part ?? ''}${labelsOf(labels)} ${value}\n`;

function labelsOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
