import { expect } from 'chai';
import { refuseUndeclaredAccess } from '../../server/auth/authorise.ts';

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
