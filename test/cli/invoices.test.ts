import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { jpeg, pdf, png } from '../support/invoices.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { masterKey } from '../support/service.ts';
import { type CommandOutcome, expectCommandError, Machine } from './machine.ts';

onAnyEngine((engine) => {
  describe('affiliate invoice', function () {
    this.timeout(60_000);
    let store: PayoutStore;
    let machine: Machine;

    before(async () => {
      store = await openPayoutStore(engine);
      await store.service.user('other', 'affiliate');
      await store.set('payouts.methods.paypal.invoice_required', true);
      machine = new Machine({ DATABASE_URL: store.service.databaseUrl, MASTER_KEY: masterKey });
      mkdirSync(machine.dataDir);
    });
    after(() => store.service.stop());

    const at = (name: string): string => path.join(machine.folder, name);
    const stored = (id: number): string => path.join(machine.dataDir, 'invoices', String(id));
    const run = async (...commands: string[][]): Promise<CommandOutcome[]> => machine.runSeries(commands.map((args) => ({ args })));
    const add = (file: string, user = 'trail', coupon = 'trail10'): string[] => [
      'invoice',
      'add',
      '--user',
      user,
      '--coupon',
      coupon,
      file,
      '--json',
    ];
    const parse = ({ code, out, err }: CommandOutcome) => {
      expect({ code, err }).to.deep.equal({ code: 0, err: '' });
      return JSON.parse(out);
    };

    it('add refuses with one sentence what is no invoice, and coupons of others', async () => {
      writeFileSync(at('page.pdf'), '<html>');
      writeFileSync(at('empty.pdf'), '');
      writeFileSync(at('large.pdf'), Buffer.concat([pdf(), Buffer.alloc(5 * 2 ** 20)]));
      writeFileSync(at('right.pdf'), pdf());
      const outcomes = await run(
        add(at('page.pdf')),
        add(at('empty.pdf')),
        add(at('large.pdf')),
        add(at('none\r\n.pdf')),
        add(machine.folder),
        add(at('right.pdf'), 'missing'),
        add(at('right.pdf'), 'other'),
        add(at('right.pdf'), 'trail', 'MISSING'),
        ['invoice', 'export', '7'],
        ['invoice', 'list'],
      );
      const sentences = [
        /^The file is not a complete PDF, PNG or JPEG file\. Its content decides, not its name\.$/,
        /^The file is empty\./,
        /^The file is larger than 5 MiB\.$/,
        /^\S+ cannot be read: there is no such file\.$/,
        /is not a file\. Name a PDF, PNG or JPEG file\.$/,
        /^There is no user "missing"\./,
        /^The coupon "trail10" is not one of other\.$/,
        /^There is no coupon "MISSING"\./,
        /^There is no invoice 7\. affiliate invoice list shows them\.$/,
      ];
      for (const [index, sentence] of sentences.entries()) {
        const { code, err } = outcomes[index] as CommandOutcome;
        expect([code, err.trimEnd().includes('\n')], err).to.deep.equal([1, false]);
        expect(err.trimEnd()).to.match(sentence);
      }
      expect(outcomes.at(-1)?.out).to.match(/^There are no invoices\./);
      expect(existsSync(path.join(machine.dataDir, 'invoices'))).to.equal(false);
    });

    it('add hands in for the next payout, list shows what it is used for, and export writes the same bytes', async () => {
      writeFileSync(at('scan.png'), png());
      mkdirSync(at('a/b'), { recursive: true });
      const [first, second] = (
        await run(add(at('a/b/../../scan.png')), add(at('right.pdf'), 'trail@shop.example', String(store.couponId)))
      ).map(parse);
      expect([first.type, second.type]).to.deep.equal(['image/png', 'application/pdf']);
      expect(readdirSync(path.join(machine.dataDir, 'invoices'))).to.have.members([String(first.id), String(second.id)]);
      expect(statSync(stored(first.id)).mode & 0o777).to.equal(0o600);
      const { body: payout } = await store.admin.post('/payouts', { json: { coupon_id: store.couponId } });
      expect(payout.invoice_id, 'the newest').to.equal(second.id);

      const [list, exported, taken] = await run(
        ['invoice', 'list', '--user', 'trail', '--coupon', 'TRAIL10', '--json'],
        ['invoice', 'export', String(second.id), '--out', at('out.pdf'), '--json'],
        ['invoice', 'export', String(second.id), '--out', at('out.pdf')],
      );
      const used = parse(list as CommandOutcome).map(({ id, login, payout_id }: Record<string, unknown>) => [id, login, payout_id]);
      expect(used).to.deep.equal([
        [second.id, 'trail', payout.id],
        [first.id, 'trail', null],
      ]);
      expect(parse(exported as CommandOutcome)).to.include({ id: second.id, file: at('out.pdf'), sha256: second.sha256 });
      expect([readFileSync(at('out.pdf')), statSync(at('out.pdf')).mode & 0o777]).to.deep.equal([pdf(), 0o600]);
      expectCommandError(taken as CommandOutcome, /out\.pdf exists, and invoices are not overwritten/);
    });

    it('export and doctor name files that are missing or changed, and doctor those of no invoice', async () => {
      const [first, second] = [1, 2];
      writeFileSync(stored(first), jpeg());
      rmSync(stored(second));
      writeFileSync(stored(77), pdf());
      const [changed, missing, doctor] = await run(
        ['invoice', 'export', String(first), '--out', at('x')],
        ['invoice', 'export', String(second), '--out', at('x')],
        ['doctor', '--json'],
      );
      expectCommandError(changed as CommandOutcome, /invoices\/1 is not the one that was handed in: its content has changed\./);
      expectCommandError(missing as CommandOutcome, /invoices\/2 is missing\. Restore it from a backup/);
      expect(existsSync(at('x'))).to.equal(false);
      const { checks } = JSON.parse(doctor?.out ?? '') as { checks: { name: string; state: string; message: string }[] };
      const [wrong, foreign] = checks.filter(({ name }) => name === 'invoices');
      expect([wrong?.state, foreign?.state]).to.deep.equal(['problem', 'warning']);
      expect(wrong?.message).to.match(/^Invoices whose file is missing or changed: 2 \(missing\), 1 \(changed\)\./);
      expect(foreign?.message).to.match(/that belong to no invoice: 77\. Move them elsewhere\.$/);
    });
  });
});
