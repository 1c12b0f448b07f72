import type { Running } from './child.ts';
import { type Figure, percentile } from './figures.ts';
import { applyLoad, type Wire } from './load.ts';
import { cpuSecondsOf } from './machine.ts';
import type { TargetName } from './targets.ts';
import { type Question, renamed, wireOf } from './wire.ts';

export interface Measuring {
  connections: number;
  rounds: number;
  seconds: number;
  questionsFor(target: TargetName): readonly Question[];
  /** Each is asked once, in shares that the rounds divide up; there is no warming up by asking. */
  isOnce: boolean;
  isUnseen: boolean;
}

const warmUpSeconds = { first: 1, later: 0.2 };
/** Where the number of requests decides. */
const patience = 60;

type Place = Pick<Figure, 'row' | 'engine' | 'size'>;

/** Round by round, in each of them one target after the other, so that what the machine does meanwhile meets them all alike. */
export async function measure(servers: ReadonlyMap<TargetName, Running>, place: Place, measuring: Measuring): Promise<Figure[]> {
  const figures = new Map<TargetName, Figure>();
  const turns = new Map([...servers.keys()].map((name) => [name, turnsOf(measuring.questionsFor(name), measuring)]));
  for (let round = 0; round < measuring.rounds; round += 1) {
    for (const [target, server] of servers) {
      const next = turns.get(target) as Turns;
      const figure = figures.get(target) ?? { ...place, target, perSecond: [], p50: [], p99: [], cpuMicros: [] };
      figures.set(target, figure);
      if (!measuring.isOnce) await once(server, measuring, next.all, round === 0 ? warmUpSeconds.first : warmUpSeconds.later);
      note(figure, await once(server, measuring, next.round(), measuring.isOnce ? patience : measuring.seconds));
    }
  }
  return [...figures.values()];
}

type Next = () => Wire | null;

interface Turns {
  all: Next;
  /** What one round may ask. */
  round(): Next;
}

/** In turn, for ever; or each once, the same number in every round. */
function turnsOf(questions: readonly Question[], { isOnce, isUnseen, rounds }: Measuring): Turns {
  const wires = isUnseen ? [] : questions.map(wireOf);
  let index = -1;
  const all: Next = () => {
    index += 1;
    const place = isOnce ? index : index % questions.length;
    const question = questions[place];
    return wires[place] ?? (isUnseen && question ? wireOf(renamed(question, index)) : null);
  };
  const round = (): Next => {
    let left = isOnce ? Math.floor(questions.length / rounds) : Number.POSITIVE_INFINITY;
    return () => {
      left -= 1;
      return left < 0 ? null : all();
    };
  };
  return { all, round };
}

interface Round {
  requests: number;
  seconds: number;
  latencies: Float64Array;
  cpuSeconds: number | null;
}

async function once({ port, pid }: Running, { connections }: Measuring, next: Next, seconds: number): Promise<Round> {
  const before = cpuSecondsOf(pid);
  const tally = await applyLoad({ port, connections, seconds, next });
  const after = cpuSecondsOf(pid);
  return { ...tally, cpuSeconds: before === null || after === null ? null : after - before };
}

function note(figure: Figure, { requests, seconds, latencies, cpuSeconds }: Round): void {
  figure.perSecond.push(requests / seconds);
  figure.p50.push(percentile(latencies, 0.5));
  figure.p99.push(percentile(latencies, 0.99));
  if (cpuSeconds !== null) figure.cpuMicros.push((cpuSeconds / requests) * 1e6);
}
