export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  /** Of a histogram: which of its numbers this is. */
  readonly part?: '_bucket' | '_sum' | '_count';
}

/** Everything that goes by one name. Plain data: the processes of a service send it to each other. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Where a service has several processes: whether it is one number of them all, or one of each. */
  readonly across: 'all together' | 'each';
  readonly samples: readonly Sample[];
}

type Described = Pick<Family, 'name' | 'help'>;

/** Numbers that go up and down, of the service as a whole. */
export const gauges = (described: Described, samples: readonly Sample[]): Family => ({
  ...described,
  type: 'gauge',
  across: 'all together',
  samples,
});

export const gauge = (described: Described, value: number, labels: Labels = {}): Family => gauges(described, [{ labels, value }]);

/** A number that only grows while the process lives. */
export const counter = (described: Described, samples: readonly Sample[]): Family => ({
  ...described,
  type: 'counter',
  across: 'all together',
  samples,
});

/** The same, of this process alone. */
export const ofThisProcess = (family: Family): Family => ({ ...family, across: 'each' });
