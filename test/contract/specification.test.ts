import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventKinds, webhookEvents } from '../../generated/events.ts';
import { type OperationId, operations } from '../../generated/operations.ts';
import { transitions } from '../../generated/transitions.ts';
import { getAvailability } from '../../site/served.ts';
import { buildSettings } from '../../site/settings/settings.ts';

// Copied from the specification.
const endpointTable = `
GET    /me                         user                none
GET    /affiliates                 admin               read
GET    /affiliates/{id}            admin,self          read
GET    /affiliates/{id}/stats      admin,self          read
GET    /coupons                    admin               read
GET    /coupons/{id}               admin,owner,upline  read
GET    /coupons/{id}/stats         admin,owner,upline  read
GET    /coupons/{id}/orders        admin,owner,upline  read
GET    /payouts                    user                read
POST   /payouts                    admin,owner         write
GET    /payouts/{id}               admin,owner         read
POST   /payouts/{id}/status        admin               write
GET    /registrations              admin               read
GET    /registrations/{id}         admin               read
POST   /registrations/{id}/status  admin               write
GET    /clicks/stats               admin,owner         read
GET    /events                     admin               read
GET    /reports/summary            admin               read
GET    /keys                       admin               manage
POST   /keys                       admin               manage
DELETE /keys/{id}                  admin               manage
GET    /webhooks                   admin               manage
POST   /webhooks                   admin               manage
PATCH  /webhooks/{id}              admin               manage
DELETE /webhooks/{id}              admin               manage
POST   /webhooks/{id}/test         admin               manage
GET    /webhooks/events            admin               read
GET    /openapi                    public              none
`;

// The operations of the add-ons that a default site does not serve, copied from the decisions about them. The preview of an application needs what its decision does.
const addOnTable = `
GET    /adjustments                                user                read
POST   /adjustments                                admin               manage
GET    /affiliates/{id}/clicks                     admin,self          read
POST   /affiliates/{id}/invitation                 admin               manage
POST   /affiliates/{id}/status                     admin               manage
GET    /coupons/{id}/orders/{order_id}/explanation admin,owner,upline  read
GET    /events/stream                              admin               read
GET    /me/payout-details                          user                read
PUT    /me/payout-details                          user                write
PATCH  /me/profile                                 user                write
GET    /orders                                     user                read
GET    /payout-batches                             admin               read
POST   /payout-batches                             admin               manage
GET    /payout-batches/{id}                        admin               read
POST   /payout-batches/{id}/status                 admin               manage
POST   /payout-runs                                admin               manage
GET    /payouts/{id}/history                       admin,owner         read
POST   /registrations/{id}/preview                 admin               write
GET    /risk/signals                               admin               read
GET    /risk/signals/{id}                          admin               read
POST   /risk/signals/{id}/status                   admin               write
GET    /settings                                   admin               manage
PATCH  /settings                                   administrator       manage
POST   /store/affiliates                           admin               manage
POST   /store/clicks                               admin               write
GET    /store/connections                          admin               read
POST   /store/connections                          admin               manage
DELETE /store/connections/{id}                     admin               manage
GET    /store/connections/{id}/deliveries          admin               read
PUT    /store/connections/{id}/secret              admin               manage
POST   /store/coupons                              admin               manage
POST   /store/orders                               admin               write
POST   /store/payout-details                       admin               manage
POST   /store/registrations                        admin               write
GET    /webhooks/{id}/deliveries                   admin               manage
POST   /webhooks/{id}/deliveries/{delivery}/replay admin               manage
`;

const rowsOf = (table: string): string[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).join(' '));
type Rule = (typeof operations)[OperationId];
const rowOf = ({ method, path, access, scope }: Rule): string => `${method.toUpperCase()} ${path} ${access.join(',')} ${scope}`;
const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));

describe('the contract and the specification', () => {
  it('agree on the 28 endpoints of a default site, their access and their scope', () => {
    const served = Object.entries(operations)
      .filter(([id]) => getAvailability(id as OperationId, buildSettings({}).settings) === 'served')
      .map(([, rule]) => rowOf(rule));
    expect(served.toSorted()).to.deep.equal(rowsOf(endpointTable).toSorted());
  });

  it('agree on the access and the scope of every operation, those of the add-ons included', () => {
    const stated = [...rowsOf(endpointTable), ...rowsOf(addOnTable)];
    expect(Object.values(operations).map(rowOf).toSorted()).to.deep.equal(stated.toSorted());
  });

  it('agree that refreshing coupon statistics needs the write scope as well', () => {
    expect(operations.get_coupons_id_stats.scopeWhen).to.deep.equal([{ parameter: 'refresh', equals: true, scope: 'write' }]);
  });

  it('ask a session for its password where money, access or the settings can change hands', () => {
    const asking = Object.entries(operations).filter(([, { confirmPassword }]) => confirmPassword);
    expect(asking.map(([, { method, path }]) => `${method.toUpperCase()} ${path}`)).to.have.members([
      'PATCH /settings',
      'PUT /me/payout-details',
      'POST /keys',
      'DELETE /keys/{id}',
      'POST /store/affiliates',
      'POST /store/payout-details',
      'POST /store/connections',
      'DELETE /store/connections/{id}',
      'PUT /store/connections/{id}/secret',
    ]);
  });

  it('agree that exactly the payout and webhook routes are PRO', () => {
    const pro = Object.values(operations).filter(({ edition }) => edition === 'pro');
    const named = Object.values(operations).filter(({ path }) => /^\/((me|store)\/)?(payout|webhook)/.test(path));
    expect(pro).to.deep.equal(named);
  });

  it('agree on the two security schemes', () => {
    const { bearerApiKey, basicAppPassword, ...others } = contract.components.securitySchemes;
    expect([bearerApiKey.type, bearerApiKey.scheme]).to.deep.equal(['http', 'bearer']);
    expect([basicAppPassword.type, basicAppPassword.scheme]).to.deep.equal(['http', 'basic']);
    expect(others).to.deep.equal({});
  });

  it('agree on every status change of a payout that an admin may make', () => {
    const byAdmin = transitions.PayoutStatus.rows.filter(({ by }) => by === 'admin').map(({ from, to }) => `${from} → ${to}`);
    expect(byAdmin.toSorted()).to.deep.equal(
      [
        'pending → paid',
        'pending → cancel',
        'pending → created',
        'created → paid',
        'created → cancel',
        'created → pending',
        'paid → cancel',
        'paid → pending',
        'paid → created',
        'cancel → pending',
        'cancel → created',
      ].toSorted(),
    );
  });

  it('agree on the pool that holds the amount in each payout status', () => {
    const pool: Record<string, string> = {
      pending: 'pending_payout',
      created: 'pending_payout',
      processing: 'pending_payout',
      paid: 'paid',
      cancel: 'unpaid',
      failed: 'unpaid',
    };
    for (const { from, to, moves } of transitions.PayoutStatus.rows) {
      const source = from === null ? 'unpaid' : pool[from];
      const expected = source === pool[to] ? null : { from: source, to: pool[to] };
      expect(moves, `${from} → ${to}`).to.deep.equal(expected);
    }
  });

  it('agree on the events that the specification names', () => {
    const stated = ['referral.created', 'payout.requested', 'payout.paid', 'affiliate.payout_details_updated'] as const;
    for (const event of stated) expect(webhookEvents).to.have.property(event);
    expect(eventKinds).to.include('referral');
  });

  it('have one feed kind for each webhook event except ping', () => {
    const kinds = Object.entries(webhookEvents).map(([event, { feedKind }]) => ({ event, feedKind }));
    for (const { event, feedKind } of kinds) if (event !== 'ping') expect(eventKinds).to.include(feedKind);
    expect(new Set(kinds.map(({ feedKind }) => feedKind)).size).to.equal(kinds.length);
  });
});
