import { expect } from 'chai';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { theContract } from '../support/contract.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { allOperations, requestFor } from './contract-requests.ts';
import { onOneEngine } from './one-engine.ts';
import { ask, codeOf } from './plain-http.ts';
import { probes } from './scanner-probes.ts';

type Paths = Record<string, Record<string, { operationId?: string }>>;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'LINK'];
const proOnly = allOperations.filter((operationId) => operations[operationId].edition === 'pro');

// Without each operation: test/site/served.test.ts.
onOneEngine((engine) => {
  describe('API9:2023 Improper Inventory Management', () => {
    let store: AttackedStore;
    let contract: Contract;
    before(async () => {
      contract = await theContract();
      store = await openAttackedStore(engine);
    });
    after(() => store.service.stop());

    const paths = async (): Promise<Paths> => JSON.parse((await ask(store.service, '/api/v2/openapi')).body).paths;
    /** Dry runs are in the document for each operation that declares one: test/api/dry-run.test.ts. */
    const listed = async (): Promise<string[]> =>
      Object.entries(await paths())
        .filter(([path]) => !path.startsWith('/dry-run/'))
        .map(([, methodsOf]) => methodsOf)
        .flatMap((methodsOf) => Object.values(methodsOf).flatMap(({ operationId }) => operationId ?? []));

    async function isServed(operationId: OperationId): Promise<boolean> {
      const { target, ...request } = requestFor(contract, operationId, 987_654_321);
      const answer = await ask(store.service, target, { ...request, headers: { ...request.headers, ...store.admin } });
      return !(answer.status === 404 && codeOf(answer) === 'rest_no_route');
    }

    const servedOnes = async (): Promise<string[]> => {
      const served: string[] = [];
      for (const operationId of allOperations) if (await isServed(operationId)) served.push(operationId);
      return served;
    };

    it('serves exactly what /openapi lists, in the pro edition', async () => {
      expect(await servedOnes()).to.have.members(await listed());
      expect(await listed()).to.have.members(allOperations);
    });

    it('answers no method on any of its paths that /openapi does not list', async () => {
      for (const [path, methodsOf] of Object.entries(await paths()))
        for (const method of methods.filter((name) => !(name.toLowerCase() in methodsOf))) {
          const answer = await ask(store.service, `/api/v2${path.replace('{id}', '1')}`, { method, headers: store.admin });
          expect([answer.status, codeOf(answer)], `${method} ${path}`).to.deep.equal([404, 'rest_no_route']);
        }
    });

    it('has nothing at the paths that scanners try: no older version, no file, no debug endpoint', async () => {
      for (const target of probes) {
        // A key is refused outside of the API, whatever is there.
        const answer = await ask(store.service, target, { headers: /^\/api(\/|$)/.test(target) ? store.admin : {} });
        // A trailing slash is removed first, wherever it stands.
        expect(answer.status, target).to.equal(/^\/(?!api\/).*[^/]\/$/.test(target) ? 308 : 404);
        expect(answer.body, target).not.to.match(/root:|"dependencies"|svc_[0-9a-f]{40}/);
      }
    });

    it('in the free edition neither serves nor lists what is in the pro edition only, and serves everything else', async () => {
      await store.service.settings.set('edition', 'free');
      try {
        const expected = allOperations.filter((operationId) => !proOnly.includes(operationId));
        expect(proOnly.length).to.be.greaterThan(5);
        expect(await listed()).to.have.members(expected);
        expect(await servedOnes()).to.have.members(expected);
      } finally {
        await store.service.settings.set('edition', 'pro');
      }
    });
  });
});
