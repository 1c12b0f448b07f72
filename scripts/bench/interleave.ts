import { isValid, type Metric, type RowKey, type Sample, type Series } from './results.ts';
import type { TargetName } from './targets.ts';

export interface Sampler {
  target: TargetName;
  /** Null when there is nothing left to measure; the row ends with the round before. */
  sample(round: number): Promise<Sample | null>;
  /** Called once, after the last sample. */
  close?(): void | Promise<void>;
}

export interface Rounds {
  least: number;
  /** Rounds are added up to here as long as the row is not valid. */
  most: number;
}

/**
 * Measures targets in short turns, one sample each in every round, so that whatever else the machine does meets all of them alike. Every other
 * round runs backwards: a machine that becomes slower and slower favours none.
 */
export async function interleave(key: RowKey, samplers: readonly Sampler[], { least, most }: Rounds): Promise<Series[]> {
  const row = samplers.map(({ target }): Series => ({ ...key, target, values: {} }));
  try {
    for (let round = 0; round < most && (round < least || !isValid(row)); round += 1) {
      const samples = await sampleRound(samplers, round);
      if (!samples) break;
      for (const [index, sample] of samples) append(row[index] as Series, sample);
    }
  } finally {
    for (const sampler of samplers) await sampler.close?.();
  }
  return row;
}

async function sampleRound(samplers: readonly Sampler[], round: number): Promise<[number, Sample][] | null> {
  const samples: [number, Sample][] = [];
  const order = [...samplers.entries()];
  for (const [index, sampler] of round % 2 === 0 ? order : order.toReversed()) {
    const sample = await sampler.sample(round);
    if (!sample) return null;
    samples.push([index, sample]);
  }
  return samples;
}

function append({ values }: Series, sample: Sample): void {
  for (const [metric, value] of Object.entries(sample) as [Metric, number][]) (values[metric] ??= []).push(value);
}
