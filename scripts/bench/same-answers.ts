import { isDeepStrictEqual } from 'node:util';
import { ask } from './ask.ts';
import type { Running } from './child.ts';
import type { TargetName } from './targets.ts';
import type { Question } from './wire.ts';

const looks = 5;

/** Who does less would win for nothing. @throws where an answer of a peer is not that of the service. */
export async function compareAnswers(servers: ReadonlyMap<TargetName, Running>, questions: readonly Question[]): Promise<void> {
  const service = servers.get('service');
  if (!service) return;
  for (let look = 0; look < Math.min(looks, questions.length); look += 1) {
    const question = questions[Math.floor((look * questions.length) / looks)];
    if (!question) continue;
    const expected = await seen(service, question);
    for (const [name, server] of servers) {
      if (name === 'floor' || name === 'service') continue;
      const given = await seen(server, question);
      if (!isDeepStrictEqual(given, expected))
        throw new Error(
          `${name} answers ${question.path} otherwise than the service:\n${JSON.stringify(given)}\n${JSON.stringify(expected)}`,
        );
    }
  }
}

async function seen({ port }: Running, question: Question): Promise<unknown> {
  const { body, headers } = await ask(port, question);
  return { body, total: headers.get('X-Svc-Total'), pages: headers.get('X-Svc-TotalPages'), limit: headers.get('RateLimit-Policy') };
}
