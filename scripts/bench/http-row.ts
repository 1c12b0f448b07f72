import type { Engine, Size, SizeName } from './dataset/sizes.ts';
import type { BenchRequest, Repetition } from './requests.ts';
import type { RowTargets } from './targets.ts';

/** A load of requests. */
export interface HttpRow extends RowTargets {
  name: string;
  title: string;
  connections: number;
  /** All, unless the number of orders makes no difference, or two of them show it. */
  sizes?: readonly SizeName[];
  /** Sent in turn. The port is that of a running service, to look up what depends on the data. */
  requests(size: Size, port: number): Promise<BenchRequest[]>;
  repetition: Repetition;
  /** Statements that prepare a copy of the data set, for a row that writes. Its peers have a copy each. */
  changes?(engine: Engine): string[];
  /** Earlier versions cannot be measured: they do not have it. */
  isNew?: true;
}
