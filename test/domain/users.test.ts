import { expect } from 'chai';
import { systemRandom } from '../../domain/random.ts';
import { appPasswordHash, findAppPassword, generateAppPassword } from '../../domain/users/app-password.ts';
import { hashPassword, isOutdatedHash, passwordCost, verifyPassword } from '../../domain/users/password.ts';
import { canEdit, type Role, roles } from '../../domain/users/user.ts';
import { formerHash } from '../support/password-cost.ts';

describe('roles', () => {
  it('allow a manager to edit everyone but administrators, and others only themselves', () => {
    const edits = (editor: Role, user: Role): boolean => canEdit({ id: 1, role: editor }, { id: 2, role: user });
    for (const user of roles) {
      expect(edits('administrator', user)).to.equal(true);
      expect(edits('manager', user)).to.equal(user !== 'administrator');
      expect(edits('affiliate', user)).to.equal(false);
      expect(edits('customer', user)).to.equal(false);
    }
    for (const role of roles) expect(canEdit({ id: 1, role }, { id: 1, role })).to.equal(true);
  });
});

describe('an application password', () => {
  it('has 24 random alphanumerics in groups of four', () => {
    const made = Array.from({ length: 200 }, () => generateAppPassword(systemRandom));
    for (const password of made) expect(password).to.match(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect(new Set(made).size).to.equal(200);
  });

  it('works with and without its spaces, and with none of its characters changed', () => {
    const password = 'abcd efgh ijkl mnop qrst uvwx';
    const stored = { hash: appPasswordHash(password) };
    expect(findAppPassword(password, [{ hash: appPasswordHash('another') }, stored])).to.equal(stored);
    expect(findAppPassword('abcdefghijklmnopqrstuvwx', [stored])).to.equal(stored);
    expect(findAppPassword('ABCD efgh ijkl mnop qrst uvwx', [stored])).to.equal(null);
  });

  it('never matches where the user has none', () => {
    expect(findAppPassword('no application password', [])).to.equal(null);
  });
});

describe('a password', () => {
  it('matches only as it was chosen, in any Unicode normalisation', async () => {
    const hash = await hashPassword('Größe 1234', systemRandom);
    expect(await verifyPassword('Größe 1234'.normalize('NFD'), hash)).to.equal(true);
    expect(await verifyPassword('größe 1234', hash)).to.equal(false);
  });

  it('is stored as a hash with its own salt', async () => {
    const [first, second] = [await hashPassword('same', systemRandom), await hashPassword('same', systemRandom)];
    expect(first).not.to.equal(second);
    expect(first).not.to.include('same');
  });

  it('carries its cost, of which OWASP recommends the least', async () => {
    expect(await hashPassword('same', systemRandom)).to.match(/^scrypt\$N=\d+,r=8,p=3\$/);
    const { p, r } = passwordCost;
    expect({ p, r }).to.deep.equal({ p: 3, r: 8 });
  });

  it('matches a hash of a former version, and takes as long for it as for a new one and for an unknown user, right or wrong', async () => {
    const { N } = passwordCost;
    passwordCost.N = 2 ** 15;
    const hashes = [formerHash('right'), await hashPassword('right', systemRandom), null];
    expect(hashes.map((hash) => hash !== null && isOutdatedHash(hash))).to.deep.equal([true, false, false]);
    const times: number[] = [];
    for (const hash of hashes)
      for (const sent of ['right', 'wrong']) {
        const before = process.cpuUsage();
        expect(await verifyPassword(sent, hash)).to.equal(hash !== null && sent === 'right');
        times.push(process.cpuUsage(before).user);
      }
    passwordCost.N = N;
    // Without care, the former hash takes a third.
    expect(Math.min(...times) / Math.max(...times), times.join()).to.be.greaterThan(0.5);
  });

  it('never matches for an unknown user', async () => {
    expect(await verifyPassword('', null)).to.equal(false);
  });
});
