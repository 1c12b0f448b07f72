import { expect } from 'chai';
import type { Caller, Role } from '../../domain/users/user.ts';
import type { OperationId, Scope } from '../../generated/operations.ts';
import { authorise, mayCall, needsCsrfToken, requireDeclaredAccess } from '../../server/auth/authorise.ts';
import { buildSettings } from '../../site/settings/settings.ts';

const { settings } = buildSettings({});
const closedDocument = buildSettings({ openapi_public: false }).settings;
const caller = (role: Role, scopes: Scope[] | null = null): Caller => ({
  user: { id: 7, login: 'mia', email: 'mia@shop.example', displayName: 'Mia', role, parentId: null, registeredAt: 0 },
  method: 'api_key',
  keyId: 3,
  scopes,
});

/** The code of the error, or null if the call is allowed. */
function authoriseError(operationId: OperationId, by: Caller | null, query = '', site = settings): string | null {
  try {
    authorise(operationId, by, site, query);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('authorise', () => {
  it('allows the roles that the contract names: admins, and for owner levels every role', () => {
    const ofAdmins = (['administrator', 'manager', 'affiliate', 'customer'] as const).map((role) =>
      authoriseError('get_affiliates', caller(role)),
    );
    expect(ofAdmins).to.deep.equal([null, null, 'svc_api_forbidden', 'svc_api_forbidden']);
    for (const operationId of ['get_affiliates_id', 'get_coupons_id_stats', 'get_payouts_id', 'get_me'] as const)
      expect(authoriseError(operationId, caller('customer')), operationId).to.equal(null);
  });

  it('allows anonymous callers only where the contract declares public access', () => {
    expect(authoriseError('get_me', null)).to.equal('svc_api_unauthorized');
    expect(authoriseError('get_openapi', null)).to.equal(null);
    expect(authoriseError('get_openapi', null, '', closedDocument)).to.equal('svc_api_unauthorized');
    expect(authoriseError('get_openapi', caller('affiliate'), '', closedDocument)).to.equal('svc_api_forbidden');
    expect(authoriseError('get_openapi', caller('manager'), '', closedDocument)).to.equal(null);
  });

  it('requires the scope before the role', () => {
    expect(authoriseError('get_affiliates', caller('administrator', ['write', 'manage']))).to.equal('svc_api_insufficient_scope');
    expect(authoriseError('get_affiliates', caller('customer', []))).to.equal('svc_api_insufficient_scope');
    expect(authoriseError('get_affiliates', caller('administrator', ['read']))).to.equal(null);
    expect(authoriseError('get_me', caller('customer', []))).to.equal(null);
  });

  it('requires a further scope where the query needs it, in any notation of true', () => {
    const reader = caller('administrator', ['read']);
    for (const query of ['refresh=true', 'refresh=1', 'refresh=false&refresh=true'])
      expect(authoriseError('get_coupons_id_stats', reader, query), query).to.equal('svc_api_insufficient_scope');
    for (const query of ['', 'refresh=false', 'refresh=0', 'refresh=', 'other=true'])
      expect(authoriseError('get_coupons_id_stats', reader, query), query).to.equal(null);
    expect(authoriseError('get_coupons_id_stats', caller('administrator', ['read', 'write']), 'refresh=true')).to.equal(null);
  });

  it('requires the CSRF token for every change, and for a GET whose query causes one', () => {
    const needs = (operationId: OperationId, query = '') => needsCsrfToken(operationId, query);
    expect([needs('post_keys'), needs('delete_keys_id'), needs('get_keys')]).to.deep.equal([true, true, false]);
    expect([needs('get_coupons_id_stats', 'refresh=1'), needs('get_coupons_id_stats', 'refresh=0')]).to.deep.equal([true, false]);
  });

  it('reports beforehand that a caller without a coupon cannot call an operation for owners', () => {
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

describe('requireDeclaredAccess', () => {
  it('accepts the contract as it is', () => {
    expect(() => requireDeclaredAccess()).not.to.throw();
  });

  it('rejects an operation without x-access', () => {
    expect(() => requireDeclaredAccess({ get_open: { scope: 'read' } })).to.throw('get_open declares no x-access');
    expect(() => requireDeclaredAccess({ get_open: { access: [], scope: 'read' } })).to.throw('get_open');
  });

  it('rejects an operation without x-scope', () => {
    expect(() => requireDeclaredAccess({ get_open: { access: ['admin'] } })).to.throw('no x-scope');
  });

  it('rejects an x-access-when with an unknown setting', () => {
    const accessWhen = [{ setting: 'openapi_publc' }];
    expect(() => requireDeclaredAccess({ get_open: { access: ['public'], scope: 'none', accessWhen } })).to.throw('openapi_publc');
  });
});
