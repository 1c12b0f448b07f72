import { expect } from 'chai';
import { Together } from '../../domain/together.ts';
import { gate } from '../db/gate.ts';

describe('work that comes piece by piece', () => {
  it('is done at once where nobody is at work, and together with what came meanwhile', async () => {
    const turns: number[][] = [];
    const goOn = gate();
    const together = new Together<number, number>(async (pieces) => {
      turns.push([...pieces]);
      await goOn.opened;
      return pieces.map((piece) => piece * 10);
    }, 3);
    const results = Promise.all([1, 2, 3, 4, 5].map((piece) => together.add(piece)));
    goOn.open();
    expect(await results).to.deep.equal([10, 20, 30, 40, 50]);
    expect(await together.add(6)).to.equal(60);
    expect(turns).to.deep.equal([[1], [2, 3, 4], [5], [6]]);
  });

  it('fails for the piece alone that cannot be done', async () => {
    const done: number[] = [];
    const together = new Together<number, number>(async (pieces) => {
      if (pieces.includes(13)) throw new Error('no 13 here');
      done.push(...pieces);
      return [...pieces];
    }, 10);
    const outcomes = await Promise.allSettled([11, 12, 13, 14].map((piece) => together.add(piece)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(done.toSorted()).to.deep.equal([11, 12, 14]);
    expect(await together.add(15)).to.equal(15);
  });
});
