import { expect } from 'chai';
import { toIncoming } from '../../domain/records/incoming.ts';
import { fieldsOf, type RecordKind } from '../../domain/records/read-record.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { exampleCalls, type ServedDocument } from '../cli/example-calls.ts';
import { theContract } from '../support/contract.ts';
import { onAnyEngine } from '../support/engines.ts';
import { FilledProgram, send } from './filled-program.ts';
import { RecordedHandlers, recording } from './recorded-handlers.ts';

/** The reasons why fields are never filled. */
const unfilledByDesign: Record<string, readonly string[]> = {
  'The existing payout is an open one.': ['POST /payouts 200: date_paid'],
  'A run of a few coupons leaves none to the next.': ['POST /payout-runs 200: remaining', 'POST /payout-runs 200: next_after'],
  'A record with all fields of a key, a connection, a webhook or a batch, which is new.': [
    'POST /payout-batches 201: date_settled',
    'POST /keys 201: last_used',
    'POST /keys 201: date_revoked',
    'POST /webhooks 201: failures',
    'POST /webhooks 201: last_delivery',
    'POST /webhooks 201: last_error',
    'POST /store/connections 201: api_url',
    'POST /store/connections 201: last_pull',
  ],
  'Zero without recruits, hand-overs and erasures, which test/api/payouts-handover.test.ts and test/program/money.test.ts have.': [
    'GET /affiliates/{id} 200: balances.multi_level_commission',
    'GET /affiliates/{id} 200: balances.handed_over_commission',
    'GET /affiliates/{id} 200: balances.forfeited_commission',
    'POST /affiliates/{id}/status 200: balances.multi_level_commission',
    'POST /affiliates/{id}/status 200: balances.handed_over_commission',
    'POST /affiliates/{id}/status 200: balances.forfeited_commission',
    'GET /coupons/{id} 200: balances.multi_level_commission',
    'GET /coupons/{id} 200: balances.handed_over_commission',
    'GET /coupons/{id} 200: balances.forfeited_commission',
    'GET /reports/summary 200: balances.forfeited_commission',
  ],
  'A click has no id; the outcome is the one of all records.': ['POST /store/clicks 200: [].id'],
};

onAnyEngine((engine) => {
  // The handlers are the same on both.
  if (engine.name !== 'sqlite') return;
  describe('what the contract promises', () => {
    let contract: Contract;
    let program: FilledProgram;
    const recorded = new RecordedHandlers();

    before(async () => {
      contract = await theContract();
      recorded.start();
      program = await FilledProgram.open(engine);
      const { admin, affiliate } = program;
      const calls = exampleCalls((await admin.get<ServedDocument>('/openapi')).body);
      const readAll = async (): Promise<void> => {
        await send(affiliate, 'GET', '/me');
        for (const { path } of calls.filter(({ method }) => method === 'GET')) await send(admin, 'GET', program.own(path));
      };
      await readAll();
      for (const { method, path, body } of calls.filter((call) => call.method !== 'GET'))
        await send(admin, method, program.own(path), body);
      await program.change();
      await readAll();
    });

    after(async () => {
      recorded.stop();
      await program.close();
    });

    it('is read: every parameter and every body field, by the handler', () => {
      expect(contract.operations.flatMap((operation) => recorded.listUnread(operation))).to.deep.equal([]);
    });

    it('is read: every field of a record that the store sends, by the domain', () => {
      const unread = (Object.keys(toIncoming) as RecordKind[]).flatMap((kind) => {
        const names = new Set(Object.keys(fieldsOf(kind, 'file')));
        const read = toIncoming[kind] as (values: object) => unknown;
        read(recording({}, (name) => names.delete(name)));
        return [...names].map(
          (name) => `${kind}: no code reads the field "${name}". Read it in domain/records/incoming.ts, or remove it from the contract.`,
        );
      });
      expect(unread).to.deep.equal([]);
    });

    it('is kept: every field of a successful response is filled at least once', () => {
      const unfilled = contract.operations.flatMap((operation) => recorded.listUnfilled(operation));
      const byDesign = Object.values(unfilledByDesign).flat();
      const advice = 'is never filled. Fill it in handlers/views/, with data for it in test/contract/filled-program.ts, or remove it.';
      expect(unfilled.filter((field) => !byDesign.includes(field)).map((field) => `${field} ${advice}`)).to.deep.equal([]);
      expect(
        byDesign.filter((field) => !unfilled.includes(field)),
        'These are filled, and need no reason any more',
      ).to.deep.equal([]);
    });
  });
});
