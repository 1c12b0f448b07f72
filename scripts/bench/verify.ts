import { isDeepStrictEqual } from 'node:util';
import { ask } from './ask.ts';
import { run } from './child.ts';
import { copyOf, type Dataset } from './dataset/dataset.ts';
import { adminId, sizes } from './dataset/sizes.ts';
import { compiledCommand, serviceEnvironment, startTarget, temporaryFolder } from './targets.ts';

/** A data set that is not what the service itself would have made of the same orders would measure something else. @throws where it is not. */
export async function verify(dataset: Dataset): Promise<void> {
  await run({ args: [compiledCommand, 'ledger', 'verify'], env: serviceEnvironment(dataset.url, temporaryFolder()) });
  const copy = await copyOf(dataset, 'verify');
  const service = await startTarget('service', copy);
  try {
    for (let id = 1; id <= sizes[dataset.size].coupons; id += 9) await sameAfterRebuild(service.port, id);
  } finally {
    await service.stop();
    await copy.remove();
  }
}

/** What was filled in and what the service works out from the orders. */
async function sameAfterRebuild(port: number, id: number): Promise<void> {
  const filled = await figuresOf(port, `/coupons/${id}/stats`);
  const rebuilt = await figuresOf(port, `/coupons/${id}/stats?refresh=true`);
  if (!isDeepStrictEqual(filled, rebuilt))
    throw new Error(`Coupon ${id} is filled in with ${JSON.stringify(filled)}, but its orders amount to ${JSON.stringify(rebuilt)}.`);
}

async function figuresOf(port: number, path: string): Promise<object> {
  const { body } = await ask(port, { path, userId: adminId });
  const { source: _, last_refreshed: __, ...figures } = body as Record<string, unknown>;
  return figures;
}
