import { ask } from './ask.ts';
import type { Running } from './child.ts';
import { copyOf, type Dataset } from './dataset/dataset.ts';
import { ownerOf, sizes, whale } from './dataset/sizes.ts';
import type { Figure } from './figures.ts';
import { measure } from './measure.ts';
import type { HttpRow } from './rows.ts';
import { compareAnswers } from './same-answers.ts';
import { startTarget, type TargetName } from './targets.ts';
import type { Question } from './wire.ts';

export interface Pace {
  rounds: number;
  seconds: number;
}

type Servers = Map<TargetName, Running>;

/** Enough to see what a second process brings, on PostgreSQL. */
const onTwoProcesses = new Set(['coupon', 'orders-last', 'stats-range', 'feed']);

/** All that is measured on one data set over HTTP: its servers stand side by side, and only one at a time has something to do. */
export class Group {
  readonly #dataset: Dataset;
  readonly #pace: Pace;
  readonly #servers: Servers = new Map();

  constructor(dataset: Dataset, pace: Pace) {
    this.#dataset = dataset;
    this.#pace = pace;
  }

  async measure(row: HttpRow, isQuick: boolean): Promise<Figure[]> {
    const targets = this.#targetsOf(row, isQuick);
    if (row.changes) return this.#onCopy(row, row.changes(this.#dataset.engine), targets);
    return this.#rounds(row, await this.#running(this.#servers, targets, this.#dataset));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
    this.#servers.clear();
  }

  #targetsOf({ name, peers }: HttpRow, isQuick: boolean): TargetName[] {
    if (this.#dataset.engine === 'postgres') return ['service', 'floor', ...(onTwoProcesses.has(name) ? ['service-2' as const] : [])];
    return ['service', 'floor', ...peers.filter((peer) => !isQuick || peer !== 'express')];
  }

  async #onCopy(row: HttpRow, changes: string[], targets: TargetName[]): Promise<Figure[]> {
    // PostgreSQL copies no database that somebody uses, and a file should not be copied while somebody might write to it.
    await this.stop();
    const copy = await copyOf(this.#dataset, row.name, changes);
    const servers: Servers = new Map();
    try {
      return await this.#rounds(row, await this.#running(servers, targets, copy));
    } finally {
      await Promise.all([...servers.values()].map((server) => server.stop()));
      await copy.remove();
    }
  }

  /** Those that are asked for, started where they are not yet. The service first: the floor answers as many bytes as it. */
  async #running(servers: Servers, targets: readonly TargetName[], dataset: Dataset): Promise<Servers> {
    for (const name of targets) {
      if (servers.has(name)) continue;
      const service = servers.get('service');
      const bytes = service ? (await ask(service.port, { path: `/coupons/${whale}`, userId: ownerOf(whale) })).bytes : 0;
      servers.set(name, await startTarget(name, dataset, bytes));
    }
    return new Map(targets.map((name) => [name, servers.get(name) as Running]));
  }

  async #rounds(row: HttpRow, servers: Servers): Promise<Figure[]> {
    const { engine, size } = this.#dataset;
    const questions = await row.questions(sizes[size], servers.get('service')?.port ?? 0);
    const isOnce = row.changes !== undefined;
    if (!isOnce) await compareAnswers(servers, questions);
    const place = { row: row.name, engine, size };
    const measuring = { ...this.#pace, connections: row.connections, isUnseen: row.isUnseen, isOnce };
    return measure(servers, place, { ...measuring, questionsFor: (target) => questions.map((question) => asked(target, question)) });
  }
}

/** The floor knows one answer. */
const asked = (target: TargetName, question: Question): Question => (target === 'floor' ? { ...question, expect: 200 } : question);
