import { expect } from 'chai';
import { ApiError } from '../../domain/errors.ts';
import { type Holder, PasswordQueue } from '../../server/limits/password-queue.ts';

/** Asks for a place for each holder. Returns who did not get one; the others keep theirs. */
function refusedOf(queue: PasswordQueue, holders: readonly Holder[]): Holder[] {
  const refused: Holder[] = [];
  for (const holder of holders) void queue.run(holder, () => new Promise(() => {})).catch(() => refused.push(holder));
  return refused;
}

const strangers = (count: number, address: (index: number) => string): Holder[] =>
  Array.from({ length: count }, (_, index) => ({ address: address(index), userId: null }));

describe('PasswordQueue', () => {
  const refusals = async (holders: readonly Holder[], queue = new PasswordQueue()): Promise<number> => {
    const refused = refusedOf(queue, holders);
    await new Promise(setImmediate);
    return refused.length;
  };

  it('gives 9 of its 18 places to strangers, and all of them to known people', async () => {
    const queue = new PasswordQueue();
    expect(
      await refusals(
        strangers(30, (index) => `192.0.2.${index}`),
        queue,
      ),
    ).to.equal(21);
    const known = Array.from({ length: 30 }, (_, index) => ({ address: `203.0.113.${index}`, userId: index + 1 }));
    expect(await refusals(known, queue)).to.equal(21);
  });

  it('gives two places to an address, to a /64 and to a user, and eight to a /48', async () => {
    expect(await refusals(strangers(5, () => '192.0.2.1'))).to.equal(3);
    expect(await refusals(strangers(5, (index) => `2001:db8:1:2::${index}`))).to.equal(3);
    expect(await refusals(strangers(9, (index) => `2001:db8:1:${index}::1`))).to.equal(1);
    expect(await refusals(Array.from({ length: 5 }, (_, index) => ({ address: `192.0.2.${index}`, userId: 7 })))).to.equal(3);
  });

  it('gives a place back when its task has ended or failed', async () => {
    const queue = new PasswordQueue();
    const stranger = { address: '192.0.2.1', userId: null };
    for (let round = 0; round < 20; round += 1) {
      const failed = queue.run(stranger, () => Promise.reject(new ApiError('svc_api_unauthorized')));
      expect(await queue.run(stranger, async () => 'done')).to.equal('done');
      await failed.catch(() => {});
    }
    expect(
      await refusals(
        strangers(3, () => '192.0.2.1'),
        queue,
      ),
    ).to.equal(1);
  });
});
