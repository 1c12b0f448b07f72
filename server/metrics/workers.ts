import cluster, { type Worker } from 'node:cluster';
import { remainsOf, type Told, together } from './aggregate.ts';
import type { Family } from './family.ts';

/** The primary asks, a worker answers; `question` tells which answer belongs to which. */
interface Question {
  metrics: number;
  withBacklog: boolean;
}

interface Answer {
  metrics: number;
  families: Family[];
}

const isQuestion = (message: unknown): message is Question => typeof message === 'object' && message !== null && 'withBacklog' in message;

/** In a worker: tells the primary what it wants to know. The answer ends it. */
export function answerPrimary(familiesOf: (question: Question) => Promise<Family[]>): () => void {
  const answer = async (message: unknown): Promise<void> => {
    if (!isQuestion(message)) return;
    const families = await familiesOf(message);
    if (process.connected) process.send?.({ metrics: message.metrics, families } satisfies Answer);
  };
  process.on('message', answer);
  return () => void process.off('message', answer);
}

/** A worker that is busy for longer is left out of this scrape; what it told before is told again. */
const patienceMilliseconds = 3000;

/** In the primary: asks all workers, one of them also for what stands in the database, and adds up. */
export class Collector {
  readonly #lastTold = new Map<number, Told>();
  readonly #ended: Told[] = [];
  #questions = 0;

  constructor() {
    cluster.on('exit', ({ id }) => this.#keepRemains(id));
  }

  async families(own: Told): Promise<Family[]> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const answers = await Promise.all(workers.map((worker, place) => this.#ask(worker, place === 0)));
    return together([own, ...answers.filter((told) => told !== undefined), ...this.#ended]);
  }

  async #ask(worker: Worker, withBacklog: boolean): Promise<Told | undefined> {
    this.#questions += 1;
    const families = await answerTo(worker, { metrics: this.#questions, withBacklog });
    if (families) this.#lastTold.set(worker.id, { worker: String(worker.id), families });
    return this.#lastTold.get(worker.id);
  }

  /** Added up as they come, so that a service whose workers die often does not remember each. */
  #keepRemains(id: number): void {
    const last = this.#lastTold.get(id);
    this.#lastTold.delete(id);
    if (!last) return;
    const remains = [...this.#ended.splice(0), remainsOf(last)];
    this.#ended.push({ worker: 'ended', families: together(remains) });
  }
}

const answerTo = (worker: Worker, question: Question): Promise<Family[] | undefined> =>
  new Promise((resolve) => {
    const end = (families?: Family[]): void => {
      clearTimeout(patience);
      worker.off('message', hear);
      resolve(families);
    };
    const hear = (message: Partial<Answer>): void => {
      if (message.metrics === question.metrics) end(message.families);
    };
    const patience = setTimeout(() => end(), patienceMilliseconds);
    worker.on('message', hear);
    if (worker.isConnected()) worker.send(question, (error) => error && end());
    else end();
  });
