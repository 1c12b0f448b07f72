import { expect } from 'chai';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { theContract } from '../support/contract.ts';
import { mainlyOn } from '../support/engines.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { allOperations, requestFor } from './contract-requests.ts';
import { ask, codeOf, jsonType, type PlainRequest } from './plain-http.ts';

const isPublic = (operationId: OperationId): boolean => (operations[operationId].access as readonly string[]).includes('public');
const isForAdminsAlone = (operationId: OperationId): boolean => operations[operationId].access.every((level) => level === 'admin');
const guarded = allOperations.filter((operationId) => !isPublic(operationId));
const forAdmins = guarded.filter(isForAdminsAlone);
const missing = 987_654_321;

// Every role with every set of scopes at every operation: test/api/access-matrix.test.ts.
mainlyOn('sqlite', (engine) => {
  describe('API5:2023 Broken Function Level Authorization', () => {
    let store: AttackedStore;
    let contract: Contract;
    const key: Record<string, Record<string, string>> = {};
    before(async () => {
      contract = await theContract();
      store = await openAttackedStore(engine);
      const { service, users } = store;
      key['only manage'] = (await service.key(users.boss, ['manage'])).headers;
      for (const person of ['eve', 'customer'] as const) key[person] = await store.keyOf(person);
    });
    after(() => store.service.stop());

    const asEve = (target: string, request: PlainRequest = {}) =>
      ask(store.service, target, { ...request, headers: { ...request.headers, ...key['eve'] } });

    it('no other spelling of a path gives an affiliate access to an operation for admins', async () => {
      expect(forAdmins).to.have.length.above(9);
      for (const operationId of forAdmins) {
        const { target, ...request } = requestFor(contract, operationId, missing);
        const path = target.slice('/api/v2'.length);
        const [, first = ''] = path;
        const spellings = [
          `//api/v2${path}`,
          `/api/v2/${path}`,
          `/api/v2${path}/`,
          `/api/v2${path}//`,
          `/API/V2${path}`,
          `/api/v2${path.toUpperCase()}`,
        ];
        const encoded = [
          `/api/v2/%${first.charCodeAt(0).toString(16)}${path.slice(2)}`,
          `/api/v2/.${path}`,
          `/api/v2/me/..${path}`,
          `/api/v2/me%2f..${path}`,
        ];
        const ended = [';a=b', '.json', '%00', '%20', '%2f', '?', '#', '/.', '/%2e%2e'].map((end) => target + end);
        for (const spelling of [...spellings, ...encoded, ...ended])
          expect((await asEve(spelling, request)).status, `${request.method} ${spelling}`).to.be.oneOf([400, 403, 404]);
      }
    });

    it('no header and no parameter overrides the method', async () => {
      const { keys, webhooks } = store.records;
      const named = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map((name) => [name, 'DELETE']);
      const headers = { ...Object.fromEntries(named), ...jsonType, ...key['only manage'] };
      for (const target of [`/api/v2/keys/${keys.boss}`, `/api/v2/webhooks/${webhooks.books}`])
        for (const method of ['GET', 'POST']) {
          const answer = await ask(store.service, `${target}?_method=DELETE`, { method, headers, body: '{"_method":"DELETE"}' });
          expect(codeOf(answer), `${method} ${target}`).to.equal('rest_no_route');
        }
      const { status } = await ask(store.service, '/api/v2/me', { headers: await store.keyOf('boss') });
      expect(status).to.equal(200);
    });

    it('HEAD has the same access rules as GET', async () => {
      for (const operationId of guarded.filter((id) => operations[id].method === 'get')) {
        const { target } = requestFor(contract, operationId, missing);
        for (const headers of [{}, key['customer'] ?? {}]) {
          const [get, head] = [
            await ask(store.service, target, { headers }),
            await ask(store.service, target, { method: 'HEAD', headers }),
          ];
          expect([head.status, head.body], target).to.deep.equal([get.status, '']);
        }
      }
    });

    it('a scope that a parameter requires is enforced in every notation of the parameter', async () => {
      const { headers: readOnly } = await store.service.key(store.users.eve, ['read']);
      const written = [
        'refresh=true',
        'refresh=1',
        '%72efresh=true',
        'refresh=%74rue',
        'refresh=false&refresh=true',
        'refresh=true&refresh=false',
        'refresh[]=true',
        'refresh=TRUE',
        'refresh=+true',
        'refresh=true%20',
        'refresh=on',
        'refresh=yes',
        'refresh[0]=1',
        'refresh=1.0',
        'REFRESH=true',
      ];
      const observer = await engine.observe(store.service.databaseUrl);
      const claims = () => observer.query<Record<string, unknown>>('select * from coupon_totals');
      const before = await claims();
      for (const query of written) {
        const { status, body } = await ask(store.service, `/api/v2/coupons/${store.records.coupons.eve}/stats?${query}`, {
          headers: readOnly,
        });
        expect([200, 400, 403], query).to.include(status);
        if (status === 200) expect(JSON.parse(body).source, query).to.equal('cache');
      }
      expect(await claims()).to.deep.equal(before);
    });
  });
});
