import { expect } from 'chai';
import { appPasswordHash } from '../../domain/users/app-password.ts';
import { verifyPassword } from '../../domain/users/password.ts';
import { newSession } from '../db/samples.ts';
import { withPasswordCostOfProduction } from '../support/password-cost.ts';
import { expectCommandError, Machine, waitForExit } from './machine.ts';

const create = (login: string, ...more: string[]): string[] => [
  'user',
  'create',
  '--login',
  login,
  '--email',
  `${login}@example.com`,
  ...more,
];

describe('affiliate user', () => {
  withPasswordCostOfProduction();
  const machine = new Machine();

  it('creates a customer by default, in a new database', async () => {
    const user = await machine.json(...create('ada'));
    expect(user).to.include({ id: 1, login: 'ada', email: 'ada@example.com', display_name: 'ada', role: 'customer' });
  });

  it('prints the created user in a sentence', async () => {
    expect(await machine.text(...create('grace', '--role', 'administrator', '--display-name', 'Grace Hopper'))).to.equal(
      'User 2 was created: grace, administrator.\n',
    );
  });

  it('reads the password from the first line of standard input, and does not wait for its end', async () => {
    const child = machine.start(create('alan', '--password-stdin', '--json'));
    child.stdin.write('correct horse\r\nbattery staple\n');
    const { code, out } = await waitForExit(child);
    expect(code).to.equal(0);
    const { id } = JSON.parse(out) as { id: number };
    const hash = await machine.inside((database) => database.read(({ users }) => users.passwordHashOf(id)));
    expect([await verifyPassword('correct horse', hash), await verifyPassword('battery staple', hash)]).to.deep.equal([true, false]);
  });

  it('sets a password, and ends the sessions of the user', async () => {
    const session = newSession({ hash: 'h', userId: 3, expiresAt: Date.now() + 60_000 });
    await machine.inside((database) => database.write(({ sessions }) => sessions.insert(session)));
    const child = machine.start(['user', 'password', 'ALAN@example.com', '--password-stdin']);
    child.stdin.write('another sentence\n');
    const { code, out } = await waitForExit(child);
    expect([code, out]).to.deep.equal([0, 'The password of alan is set. It is for the sign-in page, at /sign-in.\n']);
    const [hash, left] = await machine.inside((database) =>
      database.read(async ({ users, sessions }) => [await users.passwordHashOf(3), await sessions.byHash('h')] as const),
    );
    expect([await verifyPassword('another sentence', hash), await verifyPassword('correct horse', hash), left]).to.deep.equal([
      true,
      false,
      null,
    ]);
  });

  it("lists all users by id, with times in the store's time zone, as a table and as JSON", async () => {
    await machine.store('store.timezone', 'Asia/Tokyo');
    const [users, text] = await Promise.all([machine.json<Record<string, unknown>[]>('user', 'list'), machine.text('user', 'list')]);
    expect(users.map(({ id, login }) => [id, login])).to.deep.equal([
      [1, 'ada'],
      [2, 'grace'],
      [3, 'alan'],
    ]);
    const [heading = '', , grace = ''] = text.split('\n');
    expect(heading).to.match(/^ID {2}LOGIN {2}EMAIL +NAME +ROLE +STATUS +REGISTERED$/);
    expect(grace.indexOf('Grace Hopper')).to.equal(heading.indexOf('NAME'));
    const registered = String(users[1]?.['date_registered']);
    expect(grace.endsWith(registered.replace('T', ' '))).to.equal(true);
    const tokyo = Date.parse(`${registered}+09:00`);
    expect(Math.abs(Date.now() - tokyo)).to.be.below(120_000);
  });

  it('creates application passwords that are stored as hashes', async () => {
    const [document, text] = await Promise.all([
      machine.json<{ password: string }>('user', 'app-password', 'ada', '--name', 'report'),
      machine.text('user', 'app-password', 'ADA@example.com', '--name', 'nightly report'),
    ]);
    expect(document).to.include({ login: 'ada', name: 'report' });
    expect(document.password).to.match(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    const [shown = '', , sentence] = text.split('\n');
    expect(sentence).to.equal('The application password "nightly report" of ada. Keep it now: it cannot be shown again.');
    const stored = await machine.inside((database) => database.read(({ appPasswords }) => appPasswords.ofUser(1)));
    expect(stored.map(({ hash }) => hash)).to.have.members([document.password, shown].map(appPasswordHash));
  });

  it('lists the application passwords of a user, never with the password, and revokes one', async () => {
    await machine.text('user', 'app-password', 'grace', '--name', 'audit', '--expires', '2099-12-31');
    const list = ['user', 'app-passwords', 'grace'];
    const [passwords, text] = await Promise.all([machine.json<Record<string, unknown>[]>(...list), machine.text(...list)]);
    const [first] = passwords;
    expect(first).to.have.all.keys('id', 'name', 'date_created', 'last_used', 'date_expires');
    expect(first).to.include({ name: 'audit', last_used: null, date_expires: '2099-12-31T23:59:59' });
    expect(text).to.match(/^ID {2}NAME +CREATED +LAST USED +EXPIRES\n *\d+ {2}audit {2}\S+ \S+ {2}never +2099-12-31\n$/);
    const revoke = (login: string) => machine.run(['user', 'revoke-app-password', login, String(first?.['id']), '--json']);
    expectCommandError(await revoke('ada'), new RegExp(`^ada has no application password ${first?.['id']}\\. `));
    expect(JSON.parse((await revoke('grace')).out)).to.deep.equal({ id: first?.['id'], revoked: true });
    expect(await machine.text(...list)).to.equal('grace has no application passwords. affiliate user app-password creates one.\n');
  });

  it('removes the second factor of a user once, and queues a mail about it', async () => {
    const factor = { userId: 3, encryptedSecret: 'sealed', lastStep: 1, createdAt: 1 };
    await machine.inside((database) => database.write(({ secondFactors }) => secondFactors.save(factor)));
    const reset = () => machine.json('user', 'reset-second-factor', 'ALAN@example.com');
    expect(await reset()).to.deep.equal({ id: 3, login: 'alan', is_changed: true });
    expect(await reset()).to.deep.equal({ id: 3, login: 'alan', is_changed: false });
    const [left, isDue] = await machine.inside((database) =>
      database.read(async ({ secondFactors, mails }) => [await secondFactors.ofUser(3), await mails.anyDue(Date.now())] as const),
    );
    expect([left, isDue]).to.deep.equal([null, true]);
  });

  it('disables and enables a user, as the list shows', async () => {
    const statuses = async () => (await machine.json<Record<string, unknown>[]>('user', 'list')).map(({ status }) => status);
    expect(await machine.text('user', 'disable', 'ADA@example.com')).to.match(/^ada is disabled: sessions are ended, keys and passwords /);
    expect(await machine.json('user', 'disable', 'ada')).to.deep.equal({ id: 1, login: 'ada', status: 'disabled' });
    expect(await statuses()).to.deep.equal(['disabled', 'active', 'active']);
    expect(await machine.text('user', 'enable', 'ada')).to.match(/^ada is enabled\. /);
    expect(await statuses()).to.deep.equal(['active', 'active', 'active']);
  });
});
