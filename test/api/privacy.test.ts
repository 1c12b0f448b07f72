import { expect } from 'chai';
import type { User } from '../../domain/users/user.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import { handlers } from '../../handlers/index.ts';
import { clicks } from '../support/clicks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { bankDetails, coupon, newOrderId, orders, parent, payoutDetails } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

const people = ['owner', 'recruit', 'parent', 'grandparent', 'stranger', 'customer'] as const;
type Person = (typeof people)[number];

onAnyEngine((engine) => {
  describe('responses and log lines disclose no personal data', () => {
    const { service } = suiteService(engine);
    const users = {} as Record<Person | 'boss', User>;
    let couponId: number;
    before(async () => {
      users.boss = await service.user('canaryboss', 'administrator');
      for (const person of people) users[person] = await service.user(`canary${person}`, person === 'customer' ? 'customer' : 'affiliate');
      await parent(service, users.owner.id, users.parent.id);
      await parent(service, users.parent.id, users.grandparent.id);
      await parent(service, users.recruit.id, users.owner.id);
      couponId = await coupon(service, 'OWNER10', { userId: users.owner.id });
      for (const person of ['recruit', 'parent', 'grandparent', 'stranger'] as const)
        await coupon(service, person, { userId: users[person].id });
      await clicks(service, [
        { coupon: couponId, at: '2026-10-04T10:00:00Z', visitor: 'canary-visitor', referrer: 'https://canary-referrer.example' },
      ]);
      await orders(service, [{ id: newOrderId(), coupon: couponId, at: '2026-10-05T10:00:00Z', visitor: 'canary-visitor' }]);
      const details = bankDetails('canary-holder');
      await payoutDetails(service, { userId: users.owner.id, method: 'Bank', methodType: 'banktransfer', details });
    });

    const pathOf = (operationId: OperationId): string => {
      const { path } = operations[operationId];
      if (path === '/clicks/stats') return `${path}?coupon_id=${couponId}&interval=day`;
      return path.replace('{id}', String(path.startsWith('/affiliates') ? users.owner.id : couponId));
    };

    /** Everything that a caller can read, in one text: bodies and headers. */
    async function everythingRead(headers: Record<string, string>): Promise<string> {
      const client = await service.client(headers);
      const reading = (Object.keys(handlers) as OperationId[]).filter((id) => operations[id].method === 'get');
      const answers = await Promise.all(reading.map((id) => client.get(pathOf(id))));
      return answers.map(({ body, headers: answered }) => JSON.stringify([body, Object.fromEntries(answered)])).join('\n');
    }

    it('to an admin: no visitor, referrer, payout destination or address', async () => {
      const read = await everythingRead(await service.appPassword(users.boss));
      expect(read).to.include('canaryowner');
      for (const canary of ['canary-visitor', 'canary-referrer', 'canary-holder', '127.0.0.1"']) expect(read).not.to.include(canary);
    });

    for (const person of people)
      it(`to ${person}: no login or email of another user, and nothing of visitors`, async () => {
        const read = await everythingRead(await service.appPassword(users[person]));
        // Names are public ("The canaryowner"); logins and emails are not.
        const canaries = new Set(read.match(/(?<!The )canary[a-z-]*/g));
        expect([...canaries]).to.deep.equal([`canary${person}`]);
      });

    it('in the log: no login, email, visitor or destination', async () => {
      expect(service.log.join('').match(/canary[a-z-]*/g)).to.equal(null);
    });
  });
});
