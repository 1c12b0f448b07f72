import { TooBusy } from './database-error-kind.ts';

/** Those who wait, in the order in which they came. Where there is a limit, whoever has waited that long is sent away. */
export class InTurn<Place> {
  readonly #patienceMs: number | undefined;
  readonly #waiting: Place[] = [];

  constructor(patienceMs?: number) {
    this.#patienceMs = patienceMs;
  }

  get first(): Place | undefined {
    return this.#waiting[0];
  }

  shift(): Place | undefined {
    return this.#waiting.shift();
  }

  /** `placeOf` is told how to let them go on. `onGone` hears of one who left without having had a turn. */
  wait<Given>(placeOf: (goOn: (given: Given) => void) => Place, onGone: () => void = () => {}): Promise<Given> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(place), 1);
        reject(new TooBusy('Others were at the database for too long.'));
        onGone();
      };
      const timer = this.#patienceMs === undefined ? undefined : setTimeout(leave, this.#patienceMs);
      const place = placeOf((given) => {
        clearTimeout(timer);
        resolve(given);
      });
      this.#waiting.push(place);
    });
  }
}
