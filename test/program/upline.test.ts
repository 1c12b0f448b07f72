import { expect } from 'chai';
import { setParent } from '../../domain/users/create.ts';
import { failureOf } from '../db/gate.ts';
import { forEachEngine } from '../support/engines.ts';
import { Shop } from './shop.ts';

forEachEngine((engine) => {
  describe('the upline', () => {
    let shop: Shop;
    let top: { userId: number };
    let middle: { userId: number };
    let seller: { userId: number };
    beforeEach(async () => {
      shop = await Shop.open(engine);
      top = await shop.affiliate('TOP');
      middle = await shop.affiliate('MIDDLE', { parent: top.userId });
      seller = await shop.affiliate('TRAIL10', { parent: middle.userId });
    });

    it('rejects a parent that would close a cycle', async () => {
      const name = (userId: number, parentId: number) =>
        failureOf(shop.database.write((transaction) => setParent(transaction, userId, parentId)));
      expect((await name(top.userId, seller.userId))?.message).to.equal('The top would be their own multi-level parent.');
      expect((await name(top.userId, middle.userId))?.message).to.match(/own multi-level parent/);
      expect((await name(top.userId, top.userId))?.message).to.match(/own multi-level parent/);
      expect((await name(top.userId, 999))?.message).to.equal('There is no such user.');
    });

    it('ends at a cycle in the stored data', async () => {
      await shop.database.write(({ programUsers }) => programUsers.setParent(top.userId, seller.userId));
      const ancestors = await shop.database.read(({ programUsers }) => programUsers.above([seller.userId], 10));
      expect(ancestors.map(({ tier, ancestorId }) => [tier, ancestorId])).to.deep.equal([
        [1, middle.userId],
        [2, top.userId],
      ]);
    });
  });
});
