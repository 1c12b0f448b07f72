import { expect } from 'chai';
import { isEmailAddress } from '../../domain/users/user.ts';
import { composeMessage } from '../../server/mail/compose-message.ts';
import { Machine } from '../cli/machine.ts';

const valid = [
  'ada@example.com',
  'a.b+c@mail.example.co.uk',
  "o'brien@example.com",
  'zażółć@bücher.example',
  `${'a'.repeat(240)}@example.com`,
];
const invalid = [
  'ada',
  'ada@localhost',
  'ada@example..com',
  'ada@@example.com',
  'ada@example.com, eve@evil.example',
  'Ada <ada@example.com>',
  'a"b@example.com',
  'a(b@example.com',
  'a:b@example.com',
  'ada@[127.0.0.1]',
  'ada@example.com\r\nBcc: eve@evil.example',
  `${'a'.repeat(250)}@example.com`,
];

describe('the rule for e-mail addresses', () => {
  it('accepts what mail can be sent to, and nothing that has a meaning in a mail header', () => {
    expect(valid.filter((address) => !isEmailAddress(address))).to.deep.equal([]);
    expect(invalid.filter(isEmailAddress)).to.deep.equal([]);
  });

  it('is the same for the command line and for mail', async () => {
    const machine = new Machine();
    const mailTo = (address: string) =>
      composeMessage({
        id: 1,
        from: { name: 'Fjell', address: 'no-reply@fjell.example' },
        to: { name: '', address },
        subject: 'Hello',
        text: 'Hello.',
        html: '<p>Hello.</p>',
        createdAt: 0,
      });
    await mailTo("o'brien@example.com");
    expect((await machine.run(['user', 'create', '--login', 'ann', '--email', "o'brien@example.com"])).code).to.equal(0);
    const refused = await machine.run(['user', 'create', '--login', 'eve', '--email', 'a"b@example.com']);
    expect([refused.code, refused.err]).to.deep.equal([1, '"a"b@example.com" is not an email address. Write it like ada@example.com.\n']);
    expect(await mailTo('a"b@example.com').then(() => 'sent', String)).to.equal(
      'Error: A mail has an address that cannot stand in a header.',
    );
  });
});
