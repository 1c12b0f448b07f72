import { expect } from 'chai';
import { disconnectStore } from '../../domain/store/manage-connections.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { bodySchema, formMediaType, propertiesOf } from '../../server/contract/document.ts';
import { operationOf, theContract } from '../support/contract.ts';
import { mainlyOn } from '../support/engines.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { bodyOperations, exampleBody } from './contract-requests.ts';
import { hijacked, number, pairs, temptingNames, withExtras } from './mass-assignment.ts';
import { ask, type PlainRequest } from './plain-http.ts';
import { allColumns, wholeDatabase } from './whole-database.ts';

/** Without lists of records and maps of settings, which refuse unknown fields (test/api/store.test.ts, settings.test.ts). */
const openBodies = (contract: Contract): OperationId[] =>
  bodyOperations.filter((operationId) => {
    const schema = bodySchema(operationOf(contract, operationId));
    return schema?.type !== 'array' && schema?.additionalProperties !== true;
  });

interface Aim {
  id: number | string;
  fields?: Record<string, unknown>;
  /** For an operation that the state of the store refuses. */
  prepare?(): Promise<void>;
}

type Manner = 'JSON' | 'a form' | 'the query';

mainlyOn('sqlite', (engine) => {
  describe('API3:2023 Broken Object Property Level Authorization', () => {
    let contract: Contract;
    const stores: AttackedStore[] = [];
    const open = async (): Promise<AttackedStore> => {
      const store = await openAttackedStore(engine);
      stores.push(store);
      return store;
    };
    before(async () => void (contract = await theContract()));
    afterEach(() => Promise.all(stores.splice(0).map(({ service }) => service.stop())));

    /** The id in the path of each operation, and the fields whose example means nothing in this store. */
    const aimed = ({ service, records }: AttackedStore): Partial<Record<OperationId, Aim>> => ({
      put_me_payout_details: { id: 0 },
      patch_me_profile: { id: 0 },
      post_affiliates_id_status: { id: records.affiliates.eve },
      post_adjustments: { id: 0, fields: { coupon_id: records.coupons.eve } },
      post_payouts: { id: 0, fields: { coupon_id: records.coupons.victim } },
      post_payouts_id_status: { id: records.payouts.eve, fields: { status: 'created' } },
      post_payout_runs: { id: 0 },
      post_payout_batches: { id: 0 },
      post_payout_batches_id_status: { id: 1 },
      post_registrations_id_status: { id: records.registrations.applied },
      post_registrations_id_preview: { id: records.registrations.applied },
      post_keys: { id: 0, fields: { user_id: records.affiliates.eve } },
      post_risk_signals_id_status: { id: records.risk.signal },
      post_webhooks: { id: 0 },
      patch_webhooks_id: { id: records.webhooks.books },
      put_store_connections_id_secret: { id: records.store.connection },
      post_store_connections: {
        id: 0,
        prepare: async () => {
          await service.settings.set('service.url', 'https://affiliates.example');
          await service.storage.write((transaction) => disconnectStore(transaction, records.store.connection, 1));
        },
      },
    });

    const extrasFor = (operationId: OperationId, columns: readonly string[]): string[] => {
      const writable = Object.keys(propertiesOf(bodySchema(operationOf(contract, operationId)) ?? {}));
      return temptingNames(contract, columns).filter((name) => !writable.includes(name));
    };

    const takesForm = (operationId: OperationId): boolean =>
      operationOf(contract, operationId).requestBody?.content[formMediaType] !== undefined;

    /** Every operation with a body once, rightly, and with whatever else is said beside it. Gives the answers. */
    async function sendAll(
      store: AttackedStore,
      extras: (operationId: OperationId) => readonly string[],
      manner: Manner,
    ): Promise<string[]> {
      const answers: string[] = [];
      for (const operationId of openBodies(contract)) {
        const { id, fields, prepare } = aimed(store)[operationId] ?? { id: 0 };
        await prepare?.();
        const body = { ...exampleBody(contract, operationId), ...fields };
        const { path, method } = operations[operationId];
        const { target, ...request } = said(
          `/api/v2${path.replace('{id}', String(id))}`,
          body,
          extras(operationId),
          takesForm(operationId) ? manner : 'JSON',
        );
        const answer = await ask(store.service, target, {
          method: method.toUpperCase(),
          ...request,
          headers: { ...store.admin, ...request.headers },
        });
        expect(answer.status, `${operationId} ${answer.body}`).to.be.oneOf([200, 201]);
        answers.push(`${operationId} ${answer.status} ${answer.body}`);
      }
      return answers.map((text) => text.replaceAll(/svc_[0-9a-f]+|whsec_[\w+/=]+|\b[0-9a-f]{32}\b|(?<="secret":")[\w-]+/g, '…'));
    }

    function said(
      target: string,
      body: Record<string, unknown>,
      names: readonly string[],
      manner: Manner,
    ): { target: string } & PlainRequest {
      const both = withExtras(body, names);
      if (manner === 'a form') return { target, body: pairs(both), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
      const query = manner === 'the query' ? `?${pairs(withExtras({}, names)).slice(0, 10_000)}` : '';
      return {
        target: target + query,
        body: JSON.stringify(manner === 'JSON' ? both : body),
        headers: { 'Content-Type': 'application/json' },
      };
    }

    /** Which connection adds to which part is chance; what all parts come to is not. */
    const addedUp = (rows: string[] = []): string[] => {
      const sums = new Map<string, number>();
      for (const { part: _, ...row } of rows.map((text) => JSON.parse(text) as Record<string, unknown>)) {
        const { day = row['what'], what: __, ...amounts } = row;
        for (const [name, amount] of Object.entries(amounts))
          sums.set(`${String(day)} ${name}`, (sums.get(`${String(day)} ${name}`) ?? 0) + Number(amount));
      }
      return [...sums].map(([name, sum]) => `${name} ${sum}`).toSorted();
    };

    const scrubbed = (dump: Record<string, string[]>): Record<string, string[]> => ({
      ...dump,
      order_days: addedUp(dump['order_days']),
      program_days: addedUp(dump['program_days']),
      program_versions: addedUp(dump['program_versions']),
      program_standing: addedUp(dump['program_standing']),
      api_keys: [],
      window_counters: [],
      settings: [],
    });

    it('is tested for every operation with a request body', async () => {
      expect(Object.keys(aimed(await open()))).to.have.members(openBodies(contract));
    });

    it('a property that is not writable has no effect, by JSON, form or query, on the response or on any row of any table', async () => {
      const plain = await open();
      const columns = await allColumns(engine, plain.service.databaseUrl);
      const answers = await sendAll(plain, () => [], 'JSON');
      const expected = await wholeDatabase(engine, plain.service.databaseUrl);
      for (const manner of ['JSON', 'a form', 'the query'] as const) {
        const store = await open();
        const extras = (operationId: OperationId) => extrasFor(operationId, columns);
        expect(extras('post_keys').length).to.be.greaterThan(150);
        expect(await sendAll(store, extras, manner), manner).to.deep.equal(answers);
        const dump = await wholeDatabase(engine, store.service.databaseUrl);
        for (const [table, rows] of Object.entries(scrubbed(dump)))
          expect(rows, `${manner}: ${table}`).to.deep.equal(scrubbed(expected)[table]);
        expect(
          dump['api_keys']?.map((row) => JSON.parse(row).scopes),
          manner,
        ).to.deep.equal(expected['api_keys']?.map((row) => JSON.parse(row).scopes));
        expect(JSON.stringify(dump), manner).not.to.include(hijacked).and.not.to.include(String(number));
      }
      expect(({} as Record<string, unknown>)['hijacked']).to.equal(undefined);
    });
  });
});
