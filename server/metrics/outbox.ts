import type { JobSource } from '../jobs/job-runner.ts';
import type { Attempted, Metrics } from './metrics.ts';

/** What mails and webhooks have in common: it was done, the other side failed, or it was not tried. */
interface Came {
  kind: string;
  code?: number;
}

/** The same freight, what came of each attempt counted. */
export function metered<Job, Outcome extends Came>(
  freight: JobSource<Job, Outcome>,
  kind: Attempted['kind'],
  metrics: Pick<Metrics, 'attempts'> | undefined,
): JobSource<Job, Outcome> {
  if (!metrics) return freight;
  return {
    ...freight,
    async send(job, signal) {
      const outcome = await freight.send(job, signal);
      metrics.attempts.add({ kind, outcome: nameOf(outcome) });
      return outcome;
    },
  };
}

function nameOf({ kind, code = 0 }: Came): Attempted['outcome'] {
  if (kind === 'sent' || (kind === 'answered' && code >= 200 && code < 300)) return 'sent';
  return kind === 'not tried' || kind === 'unfinished' ? 'not_tried' : 'failed';
}
