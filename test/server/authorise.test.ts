import { expect } from 'chai';
import type { Caller } from '../../domain/users/caller.ts';
import type { Role } from '../../domain/users/user.ts';
import type { OperationId, Scope } from '../../generated/operations.ts';
import { authorise, mayCall, needsCsrfToken, refuseUndeclaredAccess } from '../../server/auth/authorise.ts';
import { buildSettings } from '../../site/settings/settings.ts';

const { settings } = buildSettings({});
const closedDocument = buildSettings({ openapi_public: false }).settings;
const caller = (role: Role, scopes: Scope[] | null = null): Caller => ({
  user: { id: 7, login: 'mia', email: 'mia@shop.example', displayName: 'Mia', role, parentId: null, registeredAt: 0 },
  ...{ method: 'api_key', keyId: 3, scopes },
});

/** The code of what stands against a call, or null. */
function against(operationId: OperationId, by: Caller | null, query = '', site = settings): string | null {
  try {
    authorise(operationId, by, site, new URLSearchParams(query));
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('who may call an operation', () => {
  it('is whoever the contract names: an admin, and for owners whoever might be one', () => {
    const ofAdmins = (['administrator', 'manager', 'affiliate', 'customer'] as const).map((role) =>
      against('get_affiliates', caller(role)),
    );
    expect(ofAdmins).to.deep.equal([null, null, 'svc_api_forbidden', 'svc_api_forbidden']);
    for (const operationId of ['get_affiliates_id', 'get_coupons_id_stats', 'get_payouts_id', 'get_me'] as const)
      expect(against(operationId, caller('customer')), operationId).to.equal(null);
  });

  it('is nobody without a name, except where the contract says everybody', () => {
    expect(against('get_me', null)).to.equal('svc_api_unauthorized');
    expect(against('get_openapi', null)).to.equal(null);
    expect(against('get_openapi', null, '', closedDocument)).to.equal('svc_api_unauthorized');
    expect(against('get_openapi', caller('affiliate'), '', closedDocument)).to.equal('svc_api_forbidden');
    expect(against('get_openapi', caller('manager'), '', closedDocument)).to.equal(null);
  });

  it('is a key with the scope, which is asked for before the role', () => {
    expect(against('get_affiliates', caller('administrator', ['write', 'manage']))).to.equal('svc_api_insufficient_scope');
    expect(against('get_affiliates', caller('customer', []))).to.equal('svc_api_insufficient_scope');
    expect(against('get_affiliates', caller('administrator', ['read']))).to.equal(null);
    expect(against('get_me', caller('customer', []))).to.equal(null);
  });

  it('needs a further scope where the query asks for more, however the yes is written', () => {
    const reader = caller('administrator', ['read']);
    for (const query of ['refresh=true', 'refresh=1', 'refresh=false&refresh=true'])
      expect(against('get_coupons_id_stats', reader, query), query).to.equal('svc_api_insufficient_scope');
    for (const query of ['', 'refresh=false', 'refresh=0', 'refresh=', 'other=true'])
      expect(against('get_coupons_id_stats', reader, query), query).to.equal(null);
    expect(against('get_coupons_id_stats', caller('administrator', ['read', 'write']), 'refresh=true')).to.equal(null);
  });

  it('must prove a cookie for every change, and for what a query makes one', () => {
    const needs = (operationId: OperationId, query = '') => needsCsrfToken(operationId, new URLSearchParams(query));
    expect([needs('post_keys'), needs('delete_keys_id'), needs('get_keys')]).to.deep.equal([true, true, false]);
    expect([needs('get_coupons_id_stats', 'refresh=1'), needs('get_coupons_id_stats', 'refresh=0')]).to.deep.equal([true, false]);
  });

  it('is told beforehand: without a coupon there is no record whose owner one could be', () => {
    const may = (operationId: OperationId, by: Caller, isAffiliate: boolean) => mayCall(operationId, by, isAffiliate, settings);
    for (const operationId of ['get_affiliates_id', 'get_coupons_id_stats', 'get_coupons_id'] as const)
      expect([may(operationId, caller('customer'), true), may(operationId, caller('customer'), false)], operationId).to.deep.equal([
        true,
        false,
      ]);
    expect(may('get_coupons_id_stats', caller('manager'), false)).to.equal(true);
    expect([may('get_me', caller('customer'), false), may('get_openapi', caller('customer'), false)]).to.deep.equal([true, true]);
    expect(may('get_affiliates', caller('manager', ['write']), true)).to.equal(false);
    expect(may('get_coupons_id_stats', caller('manager', ['read']), true)).to.equal(true);
  });
});

describe('the start of the service', () => {
  it('goes on with the contract as it is', () => {
    expect(() => refuseUndeclaredAccess()).not.to.throw();
  });

  it('stops at an operation that does not say who may call it', () => {
    expect(() => refuseUndeclaredAccess({ get_open: { scope: 'read' } })).to.throw('get_open declares no x-access');
    expect(() => refuseUndeclaredAccess({ get_open: { access: [], scope: 'read' } })).to.throw('get_open');
  });

  it('stops at an operation that does not say which scope it needs', () => {
    expect(() => refuseUndeclaredAccess({ get_open: { access: ['admin'] } })).to.throw('no x-scope');
  });

  it('stops at an exception that hangs on a setting which does not exist', () => {
    const accessWhen = [{ setting: 'openapi_publc' }];
    expect(() => refuseUndeclaredAccess({ get_open: { access: ['public'], scope: 'none', accessWhen } })).to.throw('openapi_publc');
  });
});
