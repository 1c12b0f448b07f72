import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ContractDocument } from '../../scripts/contract/document.ts';
import { findNarrowings } from '../../scripts/contract/narrowed-access.ts';
import { bundleFile } from '../support/contract.ts';

type Fields = Record<string, unknown>;

/** A contract with one operation that has these fields. */
const contractWith = (fields: Fields): ContractDocument =>
  ({
    paths: { '/a/{id}': { get: { operationId: 'get_a_id', ...fields } } },
  }) as unknown as ContractDocument;

const refresh = { parameter: 'refresh', equals: true };
const closed = { setting: 'openapi_public', equals: false };

describe('findNarrowings', () => {
  const narrower: [string, Fields, Fields, string][] = [
    [
      'removed access levels',
      { 'x-access': ['admin', 'owner', 'upline'] },
      { 'x-access': ['admin'] },
      'x-access: No longer lets owner, upline call.',
    ],
    ['user instead of public', { 'x-access': ['public'] }, { 'x-access': ['user'] }, 'x-access: No longer lets public call.'],
    ['admin instead of user', { 'x-access': ['user'] }, { 'x-access': ['admin'] }, 'x-access: No longer lets user call.'],
    [
      'a setting that closes',
      { 'x-access': ['public'] },
      { 'x-access': ['public'], 'x-access-when': [{ ...closed, access: ['admin'] }] },
      'x-access-when: No longer lets public call while openapi_public is false.',
    ],
    [
      'a setting that no longer opens',
      { 'x-access': ['admin'], 'x-access-when': [{ ...closed, access: ['user'] }] },
      { 'x-access': ['admin'] },
      'x-access-when: No longer lets user call while openapi_public is false.',
    ],
    ['a higher scope', { 'x-scope': 'none' }, { 'x-scope': 'read' }, 'x-scope: Raised from none to read.'],
    ['the highest scope', { 'x-scope': 'write' }, { 'x-scope': 'manage' }, 'x-scope: Raised from write to manage.'],
    [
      'a further scope',
      { 'x-scope': 'read' },
      { 'x-scope': 'read', 'x-scope-when': [{ ...refresh, scope: 'write' }] },
      'x-scope-when: Requires the scope write when refresh is true; it was read.',
    ],
    [
      'a further scope that is raised',
      { 'x-scope': 'read', 'x-scope-when': [{ ...refresh, scope: 'write' }] },
      { 'x-scope': 'read', 'x-scope-when': [{ ...refresh, scope: 'manage' }] },
      'x-scope-when: Requires the scope manage when refresh is true; it was write.',
    ],
    ['a CSRF header', {}, { 'x-csrf-when': [refresh] }, 'x-csrf-when: Requires the CSRF header when refresh is true.'],
    [
      'a confirmed password',
      {},
      { 'x-confirm-password': true },
      'x-confirm-password: Requires a confirmed password, which it did not before.',
    ],
    [
      'a code of the second factor',
      { 'x-confirm-password': true },
      { 'x-confirm-password': 'code' },
      'x-confirm-password: Requires a code of callers with a second factor, which it did not before.',
    ],
    [
      'administrator instead of admin',
      { 'x-access': ['admin'] },
      { 'x-access': ['administrator'] },
      'x-access: No longer lets admin call.',
    ],
  ];
  for (const [what, then, now, narrowing] of narrower) {
    it(`finds ${what}`, () => {
      const found = findNarrowings(contractWith(then), contractWith(now));
      expect(found.map(({ pointer, field, message }) => `${pointer} ${field}: ${message}`)).to.deep.equal([
        `#/paths/~1a~1{id}/get ${narrowing}`,
      ]);
    });

    it(`finds nothing in the reverse of ${what}, or without a change`, () => {
      expect(findNarrowings(contractWith(now), contractWith(then))).to.deep.equal([]);
      expect(findNarrowings(contractWith(now), contractWith(now))).to.deep.equal([]);
    });
  }

  it('finds nothing in a new or a removed operation', () => {
    const without = { paths: {} } as unknown as ContractDocument;
    const strict = contractWith({ 'x-access': ['admin'], 'x-scope': 'manage', 'x-edition': 'pro' });
    expect([...findNarrowings(without, strict), ...findNarrowings(strict, without)]).to.deep.equal([]);
  });

  it('finds nothing between the contract and itself', () => {
    const contract = JSON.parse(readFileSync(bundleFile, 'utf8')) as ContractDocument;
    expect(findNarrowings(contract, contract)).to.deep.equal([]);
  });
});
