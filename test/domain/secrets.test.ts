import { expect } from 'chai';
import fc from 'fast-check';
import { createSecrets, opens } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';

const masterKey = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';
const secrets = createSecrets('payout_details', masterKey, systemRandom);

describe('secrets at rest', () => {
  it('are decrypted to what was encrypted, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => secrets.decrypt(secrets.encrypt(text, 7), 7) === text));
    expect(secrets.decrypt(secrets.encrypt('', 7), 7)).to.equal('');
  });

  it('name their format, and reveal nothing of their content', () => {
    const sealed = secrets.encrypt('NO93 8601 1117 947', 7);
    expect(sealed).to.match(/^v1:[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.to.include('8601');
  });

  it('are decrypted by their own master key and for their own purpose only', () => {
    const sealed = secrets.encrypt('me@paypal.example', 7);
    const others = [
      createSecrets('payout_details', masterKey.replace('0', '1'), systemRandom),
      createSecrets('webhook_secret', masterKey, systemRandom),
    ];
    expect([secrets, ...others].map((one) => opens(one, sealed, 7))).to.deep.equal([true, false, false]);
    expect(() => others[0]?.decrypt(sealed, 7)).to.throw('another master key');
    expect(() => others[1]?.decrypt(sealed, 7)).to.throw('cannot be read');
    expect(opens(secrets, 'garbage', 7)).to.equal(false);
    expect(opens(secrets, sealed, 8), 'in the row of another owner').to.equal(false);
  });

  it('are never encrypted to the same text twice', () => {
    expect(new Set(Array.from({ length: 100 }, () => secrets.encrypt('the same', 7))).size).to.equal(100);
  });

  it('are not decrypted when a single bit was changed, anywhere', () => {
    const bytes = Buffer.from(secrets.encrypt('me@paypal.example', 7).slice(3), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => secrets.decrypt(`v1:${changed.toString('base64url')}`, 7), `bit ${bit}`).to.throw('cannot be read');
    }
  });

  it('are not decrypted when they are garbage, truncated, or of another version', () => {
    const sealed = secrets.encrypt('text', 7);
    const bad = ['', 'v1:', 'garbage', 'v1:garbage', sealed.slice(3), sealed.slice(0, -4)];
    for (const text of [...bad, `${sealed}!`, `${sealed}=`, ` ${sealed}`, `v2:${sealed.slice(3)}`])
      expect(() => secrets.decrypt(text, 7), text).to.throw('cannot be read');
  });

  it('are decrypted as every released version encrypted them', () => {
    const sealed = {
      payout_details: 'v1:BwcHBwcHBwcHBwcHJfwF7CT6eJ8A5WsYRfg0cFAaIxQVmSxwzOZsQdnbRnoG',
      webhook_secret: 'v1:BwcHBwcHBwcHBwcH04AvBtCqqptHnqDNbkWQ8BjP8aGvNUUaN7RSC1o5QJzl',
    };
    for (const kind of ['payout_details', 'webhook_secret'] as const)
      expect(createSecrets(kind, masterKey, systemRandom).decrypt(sealed[kind], 7)).to.equal('me@paypal.example');
  });

  it('appear with neither key nor text in errors', () => {
    const error = (() => {
      try {
        return secrets.decrypt('v1:c2VjcmV0LXRleHQ', 7);
      } catch (thrown) {
        return thrown;
      }
    })() as Error;
    expect(`${error.stack}${JSON.stringify(error)}${String(error.cause)}`)
      .not.to.include('c2VjcmV0')
      .and.not.to.include(masterKey);
  });
});
