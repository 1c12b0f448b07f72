/** Tells how far the run is, on one line of a terminal, or line by line elsewhere. */
export class Progress {
  readonly #steps: number;
  readonly #started = performance.now();
  #done = 0;

  constructor(steps: number) {
    this.#steps = steps;
  }

  step(title: string): void {
    this.#done += 1;
    this.say(title);
  }

  say(title: string): void {
    const minutes = (performance.now() - this.#started) / 60_000;
    const line = `[${this.#done}/${this.#steps}, ${minutes.toFixed(1)} min] ${title}`;
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
    else console.log(line);
  }
}
