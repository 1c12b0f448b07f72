import type { Engine, SizeName } from '../dataset/sizes.ts';
import { type Figure, isValid, median, type Run } from '../figures.ts';
import { ratioToFloor } from './tables.ts';

/** Finds figures of a run, and remembers whether one of them is worth little. */
export class Lookup {
  readonly run: Run;
  isDoubtful = false;

  constructor(run: Run) {
    this.run = run;
  }

  figure(row: string, target = 'service', size: SizeName = '1k', engine: Engine = 'sqlite'): Figure | undefined {
    const { figures } = this.run;
    const found = figures.find((each) => each.row === row && each.target === target && each.size === size && each.engine === engine);
    if (found && !isValid(figures, found)) this.isDoubtful = true;
    return found;
  }

  reading(row: string, target = 'service'): number | undefined {
    const found = this.run.readings.find((each) => each.row === row && each.target === target && each.engine === 'sqlite');
    return found && median(found.values);
  }

  speed(...place: Parameters<Lookup['figure']>): number | undefined {
    const figure = this.figure(...place);
    return figure && median(figure.perSecond);
  }

  p99(...place: Parameters<Lookup['figure']>): number | undefined {
    const figure = this.figure(...place);
    return figure && median(figure.p99);
  }

  ofFloor(...place: Parameters<Lookup['figure']>): number | undefined {
    const figure = this.figure(...place);
    return figure && ratioToFloor(this.run.figures, figure);
  }

  /** How much longer a request takes on the largest data set than on the smallest, both measured in units of their own floor. */
  growth(row: string): number | undefined {
    return divided(this.ofFloor(row, 'service', '1k'), this.ofFloor(row, 'service', '2m'));
  }
}

export const divided = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one / other;

export const largest = (values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

export const smallest = (values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};
