import { expect } from 'chai';
import { settingPaths } from '../../site/settings/settings.ts';
import { Machine } from './machine.ts';

interface Setting {
  path: string;
  value: unknown;
  is_set: boolean;
}

describe('affiliate settings', () => {
  const machine = new Machine();
  it('lists every setting with its value and its origin', async () => {
    expect(await machine.text('settings', 'set', 'store.name', 'Tea & Co')).to.equal('store.name is now "Tea & Co".\n');
    const [documents, text] = await Promise.all([machine.json<Setting[]>('settings', 'list'), machine.text('settings', 'list')]);
    expect(documents.map(({ path }) => path)).to.deep.equal(settingPaths.map(({ path }) => path));
    expect(documents[0]).to.deep.equal({
      path: 'store.name',
      value: 'Tea & Co',
      default: 'My store',
      is_set: true,
      allowed: 'text of 1 to 200 characters on one line',
      description: 'The name of the store on pages, in mails and in webhooks.',
    });
    expect(documents.filter(({ is_set: isSet }) => isSet)).to.have.length(1);
    expect(text).to.match(/^SETTING +VALUE +FROM\nstore\.name +"Tea & Co" +set\nstore\.url +"https:\/\/example\.com" +default\n/);
  });

  it('reads values as JSON, and other text as a string', async () => {
    const list = await machine.json<Setting>('settings', 'set', 'cors.origins', '["https://app.example"]');
    const word = await machine.json<Setting>('settings', 'set', 'store.timezone', 'Europe/Berlin');
    const number = await machine.json<Setting>('settings', 'set', 'payouts.threshold', '12.5');
    expect([list.value, word.value, number.value]).to.deep.equal([['https://app.example'], 'Europe/Berlin', 12.5]);
  });

  it('prints one value as text, or the whole record with --json', async () => {
    const [text, list, document] = await Promise.all([
      machine.text('settings', 'get', 'store.timezone'),
      machine.text('settings', 'get', 'cors.origins'),
      machine.json<Setting>('settings', 'get', 'payouts.threshold'),
    ]);
    expect([text, list]).to.deep.equal(['Europe/Berlin\n', '["https://app.example"]\n']);
    expect(document).to.include({ path: 'payouts.threshold', value: 12.5, default: 0, is_set: true });
  });

  it('resets a setting to its default', async () => {
    expect(await machine.text('settings', 'unset', 'payouts.threshold')).to.equal('payouts.threshold is back at its default, 0.\n');
    expect(await machine.json('settings', 'unset', 'cors.origins')).to.deep.include({ path: 'cors.origins', value: [], is_set: false });
  });

  it('lists stored values that are ignored, and removes those that this version does not have', async () => {
    await machine.store('store.currency', 'GOLD');
    await machine.store('store.motto', 'Tea first');
    const text = await machine.text('settings', 'list');
    expect(text)
      .to.match(/^Ignored: store\.currency cannot be "GOLD"\./m)
      .and.match(/^Ignored: There is no setting "store\.motto"\./m);
    expect(text).to.match(/^store\.currency +"USD" +default$/m);
    expect(await machine.json('settings', 'unset', 'store.motto')).to.deep.equal({ path: 'store.motto', removed: true });
    expect(await machine.text('settings', 'unset', 'store.currency')).to.equal('store.currency is back at its default, "USD".\n');
    expect(await machine.text('settings', 'list')).not.to.include('Ignored');
  });
});
