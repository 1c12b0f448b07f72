import type { Family, Labels, Sample } from './family.ts';

/** What one process of a service told. */
export interface Told {
  /** Its number, or `primary`. */
  readonly worker: string;
  readonly families: readonly Family[];
}

/** The numbers of several processes as those of one service: added up, or told of each by itself. */
export function together(told: readonly Told[]): Family[] {
  const byName = new Map<string, { family: Family; samples: Map<string, Sample> }>();
  for (const { worker, families } of told)
    for (const family of families) {
      const { samples } = byName.get(family.name) ?? fresh(family, byName);
      for (const sample of family.samples)
        take(samples, family.across === 'each' ? { ...sample, labels: { ...sample.labels, worker } } : sample);
    }
  return [...byName.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }));
}

function fresh(family: Family, byName: Map<string, { family: Family; samples: Map<string, Sample> }>) {
  const made = { family, samples: new Map<string, Sample>() };
  byName.set(family.name, made);
  return made;
}

function take(samples: Map<string, Sample>, sample: Sample): void {
  const key = keyOf(sample.labels, sample.part);
  const known = samples.get(key);
  samples.set(key, known ? { ...known, value: known.value + sample.value } : sample);
}

const keyOf = (labels: Labels, part = ''): string => JSON.stringify([part, ...Object.entries(labels).flat()]);

/**
 * What remains of a process that has ended: a sum that became less would look like a service that was started anew. Gauges tell of what is,
 * and the process is not any more.
 */
export const remainsOf = (told: Told): Told => ({
  ...told,
  families: told.families.filter(({ type, across }) => type !== 'gauge' && across === 'all together'),
});
