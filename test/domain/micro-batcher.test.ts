import { expect } from 'chai';
import { MicroBatcher } from '../../domain/micro-batcher.ts';
import { gate } from '../db/gate.ts';

describe('MicroBatcher', () => {
  it('runs an item at once if no batch is running, and batches items that arrive meanwhile', async () => {
    const turns: number[][] = [];
    const goOn = gate();
    const doAll = async (pieces: readonly number[]): Promise<number[]> => {
      turns.push([...pieces]);
      await goOn.opened;
      return pieces.map((piece) => piece * 10);
    };
    const together = new MicroBatcher({ runBatch: doAll, maxBatchSize: 3, failsWholeBatch: () => false });
    const results = Promise.all([1, 2, 3, 4, 5].map((piece) => together.add(piece)));
    goOn.open();
    expect(await results).to.deep.equal([10, 20, 30, 40, 50]);
    expect(await together.add(6)).to.equal(60);
    expect(turns).to.deep.equal([[1], [2, 3, 4], [5], [6]]);
  });

  it('adds to a batch what arrives while it gathers, and says when the running batch has ended', async () => {
    const batches: number[][] = [];
    const goOn = gate();
    const runBatch = async (items: readonly number[]): Promise<readonly number[]> => {
      batches.push([...items]);
      return items;
    };
    const together = new MicroBatcher({ runBatch, maxBatchSize: 3, failsWholeBatch: () => false, gather: () => goOn.opened });
    await together.current();
    const results = Promise.all([1, 2, 3, 4].map((item) => together.add(item)));
    const ended = together.current();
    expect(batches).to.deep.equal([]);
    goOn.open();
    await ended;
    expect(batches).to.deep.equal([[1, 2, 3]]);
    await results;
    expect(batches).to.deep.equal([[1, 2, 3], [4]]);
  });

  it('rejects only the item that fails', async () => {
    const done: number[] = [];
    const doAll = async (pieces: readonly number[]): Promise<readonly number[]> => {
      if (pieces.includes(13)) throw new Error('no 13 here');
      done.push(...pieces);
      return pieces;
    };
    const together = new MicroBatcher({ runBatch: doAll, maxBatchSize: 10, failsWholeBatch: () => false });
    const outcomes = await Promise.allSettled([11, 12, 13, 14].map((piece) => together.add(piece)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(done).to.deep.equal([11, 12, 14]);
    expect(await together.add(15)).to.equal(15);
  });

  it('rejects all waiting items if the whole batch fails', async () => {
    let tries = 0;
    const doAll = async (): Promise<never> => {
      tries += 1;
      throw new Error('away');
    };
    const together = new MicroBatcher<number, number>({ runBatch: doAll, maxBatchSize: 2, failsWholeBatch: () => true });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((piece) => together.add(piece)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(Array(6).fill('rejected'));
    expect(tries).to.equal(1);
  });
});
