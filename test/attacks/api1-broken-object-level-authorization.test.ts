import { expect } from 'chai';
import type { OperationId } from '../../generated/operations.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { theContract } from '../support/contract.ts';
import { mainlyOn } from '../support/engines.ts';
import { type AttackedStore, openAttackedStore, type Person, password, type Records } from './attacked-store.ts';
import { allOperations, kindOf, requestFor, takesId } from './contract-requests.ts';
import { ask, type PlainAnswer } from './plain-http.ts';

const idRoutes = allOperations.filter(takesId);
const attackers = ['eve', 'upline', 'customer'] as const;
const missing = 987_654_321;

/** What only the owner and admins may see, by the kind of record. */
function foreignTo(attacker: Person, records: Records): Record<string, (number | string)[]> {
  const { affiliates, coupons, payouts, batches, registrations, keys, webhooks, store, risk } = records;
  // An upline may read the recruit's coupon; any further data of the recruit or of other users would be a leak.
  const recruits = attacker === 'upline' ? [] : [coupons.recruit];
  return {
    affiliates: [affiliates.victim, affiliates.recruit],
    coupons: [coupons.victim, coupons.draft, coupons.unassigned, ...recruits],
    payouts: [payouts.victim, payouts.recruit],
    'payout-batches': [batches.paypal],
    registrations: [registrations.applied],
    keys: [keys.boss, keys.victim],
    webhooks: [webhooks.books],
    store: [store.connection],
    risk: [risk.signal],
  };
}

/** All that an attacker can tell two answers apart by, but for the time they took: the same statements take the same. */
function visible({ status, headers, body }: PlainAnswer): unknown {
  const { date: _date, 'x-request-id': _id, ratelimit, ...rest } = headers;
  return { status, body, headers: { ...rest, ratelimit: String(ratelimit).replace(/r=\d+/, 'r=…') } };
}

mainlyOn('sqlite', (engine) => {
  describe('API1:2023 Broken Object Level Authorization', () => {
    let store: AttackedStore;
    let contract: Contract;
    const statements: string[] = [];
    const ways = new Map<string, Record<string, string>>();

    before(async () => {
      contract = await theContract();
      store = await openAttackedStore(engine, { onStatement: (sql) => statements.push(sql) });
      for (const person of attackers) {
        ways.set(`${person} by key`, await store.keyOf(person));
        ways.set(`${person} by password`, await store.service.appPassword(store.users[person]));
      }
      await store.service.user('mallory', 'affiliate', { password });
      ways.set('a stranger by session', await store.service.session('mallory', password));
      ways.set('anonymous', {});
      // The first use of a key is noted, which later ones are not.
      for (const headers of ways.values()) await toIdentify(headers);
    });
    after(() => store.service.stop());

    /** Settings are read again every second, independent of the caller. */
    const isOfRequest = (sql: string): boolean => !/from "?settings"?|window_counters|^(begin|start|commit|rollback)/i.test(sql);

    /** How many statements it takes to know who asks: those of a path that leads nowhere. */
    async function toIdentify(headers: Record<string, string>): Promise<number> {
      await store.service.storage.write(async () => {});
      statements.length = 0;
      await ask(store.service, '/api/v2/nowhere', { headers });
      return statements.filter(isOfRequest).length;
    }

    async function attack(operationId: OperationId, headers: Record<string, string>, id: number | string) {
      // So that nothing is remembered of the request before, on either engine.
      await store.service.storage.write(async () => {});
      const { target, ...request } = requestFor(contract, operationId, id);
      statements.length = 0;
      const answer = await ask(store.service, target, { ...request, headers: { ...request.headers, ...headers } });
      return { answer: visible(answer), status: answer.status, statements: statements.filter(isOfRequest) };
    }

    it('is tested with a foreign record for every kind of id in the contract', () => {
      const kinds = new Set(idRoutes.map(kindOf));
      expect(Object.keys(foreignTo('eve', store.records))).to.have.members([...kinds]);
    });

    for (const operationId of idRoutes)
      it(`${operationId} answers a foreign record and a missing one with the same bytes, by the same single query, for every caller`, async () => {
        for (const [way, headers] of ways) {
          const attacker = attackers.find((person) => way.startsWith(person)) ?? 'eve';
          const ids = foreignTo(attacker, store.records)[kindOf(operationId)] ?? [];
          expect(ids, way).not.to.deep.equal([]);
          await attack(operationId, headers, missing);
          const nothing = await attack(operationId, headers, missing);
          expect(nothing.status, way).to.be.oneOf([401, 403, 404]);
          expect(nothing.statements.length - (await toIdentify(headers)), way).to.equal(nothing.status === 404 ? 1 : 0);
          for (const id of ids) {
            const found = await attack(operationId, headers, id);
            expect(found.answer, `${way}, ${id}`).to.deep.equal(nothing.answer);
            expect(found.statements, `${way}, ${id}`).to.deep.equal(nothing.statements);
          }
        }
      });

    it('is not a false alarm: the owner gets what the others are refused', async () => {
      const headers = await store.keyOf('victim');
      for (const operationId of ['get_affiliates_id', 'get_coupons_id', 'get_payouts_id', 'get_clicks_stats'] as const) {
        const id = (store.records[kindOf(operationId) as 'coupons'] ?? {}).victim;
        expect((await attack(operationId, headers, id)).status, operationId).to.equal(200);
      }
    });

    it('reads no other notation of an id as that of a record', async () => {
      const headers = await store.keyOf('eve');
      const { victim, eve } = store.records.coupons;
      for (const id of [
        `${victim}%00`,
        `0x${victim.toString(16)}`,
        `${victim}.0`,
        `+${victim}`,
        `%20${victim}`,
        `${eve},${victim}`,
        `${eve}%2F..%2F${victim}`,
        `-1`,
        `1e0`,
        `${2 ** 64}`,
        `${eve}'--`,
      ]) {
        const { target } = requestFor(contract, 'get_coupons_id', id);
        expect((await ask(store.service, target, { headers })).status, id).to.be.oneOf([400, 404]);
      }
    });
  });
});
