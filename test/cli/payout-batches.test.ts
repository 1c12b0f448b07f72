import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { createBatch } from '../../domain/payouts/create-batch.ts';
import { systemRandom } from '../../domain/random.ts';
import { holdNothing } from '../../domain/risk/holds.ts';
import { buildProgram } from '../../site/program.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { disableIntegrityChecks } from '../support/disable-integrity-checks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { findSepaFaults } from '../support/pain-001.ts';
import { earn } from '../support/payouts.ts';
import { bankDetails, coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { masterKey, TestClock, TestService } from '../support/service.ts';
import { type CommandOutcome, expectCommandError, Machine } from './machine.ts';

onAnyEngine((engine) => {
  describe('affiliate payout file and affiliate payout batch', function () {
    this.timeout(120_000);
    let service: TestService;
    let machine: Machine;
    let admin: ContractClient;
    let folder: string;
    /** Logins of affiliates with their pending payouts. */
    const payouts: Record<string, number> = {};
    const coupons: Record<string, number> = {};

    const secrets = createSecrets('payout_details', masterKey, systemRandom);
    const request = async (login: string): Promise<number> => {
      await earn(service, coupons[login] ?? 0, 12.34);
      const { body } = await admin.post('/payouts', { json: { coupon_id: coupons[login] } });
      payouts[login] = body.id;
      return body.id;
    };
    const addAffiliate = async (login: string, methodType: 'banktransfer' | 'paypal' | 'wisebank', details: Record<string, string>) => {
      const { id: userId } = await service.user(login, 'affiliate');
      coupons[login] = await coupon(service, login, { userId });
      await payoutDetails(service, { userId, method: 'Method', methodType, details });
      await request(login);
      return userId;
    };
    /** As it was possible before details were checked. */
    const saveFreeForm = async (userId: number): Promise<void> => {
      const encryptedDetails = secrets.encrypt(JSON.stringify({ account: '47 11' }), userId);
      const details = { userId, method: 'Bank', methodType: 'banktransfer' as const, encryptedDetails, firstSavedAt: 1, updatedAt: 1 };
      await service.storage.write((transaction) => transaction.payoutDetails.save(details));
    };

    before(async () => {
      const databaseUrl = await engine.freshUrl();
      service = await TestService.start({ databaseUrl, clock: new TestClock(Date.now()) });
      await service.withoutLimits();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      folder = mkdtempSync(path.join(machine.folder, 'files-'));
      admin = await service.client((await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage'])).headers);
      await service.settings.set('store.currency', 'EUR');
      await addAffiliate('ada', 'banktransfer', bankDetails('Ada Ås'));
      await addAffiliate('ben', 'banktransfer', bankDetails('Ben'));
      await saveFreeForm(await addAffiliate('old', 'banktransfer', bankDetails('Old')));
      await addAffiliate('pam', 'paypal', { email: 'pam@pay.example' });
      await addAffiliate('wim', 'wisebank', { holder: 'Wim', email: 'wim@pay.example' });
    });
    after(() => service.stop());

    const at = (name: string): string => path.join(folder, name);
    const run = async (...commands: string[][]): Promise<CommandOutcome[]> => machine.runSeries(commands.map((args) => ({ args })));
    const file = (format: string, name: string, ...more: string[]): string[] => [
      'payout',
      'file',
      '--format',
      format,
      '--out',
      at(name),
      ...more,
    ];
    const batch = (...args: (string | number)[]): string[] => ['payout', 'batch', ...args.map(String)];
    const parse = ({ code, out, err }: CommandOutcome) => {
      expect({ code, err }).to.deep.equal({ code: 0, err: '' });
      return JSON.parse(out);
    };
    const statusOf = async (login: string): Promise<string> => (await admin.get(`/payouts/${payouts[login]}`)).body.status;

    it('refuse what cannot be written, each with one sentence, and change nothing', async () => {
      writeFileSync(at('taken.xml'), 'mine');
      const outcomes = await run(
        file('sepa', 'x.xml'),
        file('csv', 'taken.xml'),
        file('ods', 'x'),
        file('wise-saved', 'x.csv', '--json'),
        batch('show', 9),
      );
      const [unset, taken, format, nothing, missing] = outcomes as [CommandOutcome, ...CommandOutcome[]] & CommandOutcome[];
      expectCommandError(unset, /The account that pays is not set\. Run affiliate settings set payouts\.sepa\.name … and .*country …\.\n$/);
      expectCommandError(taken as CommandOutcome, /taken\.xml exists, and payout files are not overwritten/);
      expectCommandError(format as CommandOutcome, /sepa, paypal, wise-email, wise-saved, csv/);
      expectCommandError(missing as CommandOutcome, 'There is no batch 9. affiliate payout batch list shows them.');
      expect(nothing?.code).to.equal(1);
      const reason = 'It has no recipient_id: use the format wise-email.';
      expect(JSON.parse(nothing?.out ?? '')).to.deep.equal({
        batch: null,
        file: null,
        count: 0,
        total: 0,
        left_out: [{ payout_id: payouts['wim'], reason }],
      });
      expect(readdirSync(folder)).to.deep.equal(['taken.xml']);
      expect(readFileSync(at('taken.xml'), 'utf8')).to.equal('mine');
      expect(await statusOf('ada')).to.equal('pending');
    });

    it('write a SEPA file that only its owner can read, move its payouts to created, and name those that are left out', async () => {
      const sepa = { name: 'Trail Shop', iban: 'DE89 3704 0044 0532 0130 00', town: 'Berlin', country: 'DE' };
      for (const [name, value] of Object.entries(sepa)) await service.settings.set(`payouts.sepa.${name}`, value);
      const [written, again] = (await run(file('sepa', 'a.xml', '--json'), file('sepa', 'b.xml'))) as [CommandOutcome, CommandOutcome];
      const reason =
        'The saved details are unusable: account is no field of banktransfer: it has holder, iban, bic, street, postcode, town, and country; holder is missing; iban is missing; town is missing; country is missing.';
      expect(parse(written)).to.deep.equal({
        batch: 1,
        file: at('a.xml'),
        count: 2,
        total: 24.68,
        left_out: [{ payout_id: payouts['old'], reason }],
      });
      expect(statSync(at('a.xml')).mode & 0o777).to.equal(0o600);
      const xml = readFileSync(at('a.xml'), 'utf8');
      expect(findSepaFaults(xml)).to.deep.equal([]);
      expect(xml).to.include('<CtrlSum>24.68</CtrlSum>').and.include('<Nm>Ada As</Nm>').and.include('<IBAN>DE89370400440532013000</IBAN>');
      expect(await Promise.all(['ada', 'ben', 'old', 'pam'].map(statusOf))).to.deep.equal(['created', 'created', 'pending', 'pending']);
      expect([again.code, existsSync(at('b.xml'))]).to.deep.equal([1, false]);
      expect(again.err).to.include(`Left out: ${payouts['old']}.`);
      expect(readdirSync(folder).toSorted()).to.deep.equal(['a.xml', 'taken.xml']);
    });

    it('keep their payouts: while the batch is open, a payout in it can only become paid, by API and command', async () => {
      for (const status of ['pending', 'cancel']) {
        const { status: code, body } = await admin.post(`/payouts/${payouts['ben']}/status`, { json: { status } });
        expect([code, body.code]).to.deep.equal([409, 'svc_api_conflict']);
        expect(body.message).to.match(/is in the payout file of batch 1, which is open.* POST \/payout-batches\/1\/status\.$/);
      }
      const resolved = ['payout', 'resolve', String(payouts['ben']), '--as', 'failed'];
      expectCommandError(
        (await machine.runSeries([{ args: resolved }]))[0] as CommandOutcome,
        /is in the payout file of batch 1, which is open/,
      );
      expect(await statusOf('ben')).to.equal('created');
    });

    it('write the same bytes again, list and show the batch, and settle it: each payout by a status change of its own', async () => {
      await admin.post(`/payouts/${payouts['ben']}/status`, { json: { status: 'paid' } });
      const [again, listed, other, paid, twice, shown] = (await run(
        batch('file', 1, '--out', at('again.xml'), '--json'),
        batch('list', '--json'),
        file('sepa', 'c.xml', '--json'),
        batch('paid', 1, '--json'),
        batch('paid', 1),
        batch('show', 1, '--json'),
      )) as [CommandOutcome, CommandOutcome, CommandOutcome, CommandOutcome, CommandOutcome, CommandOutcome];
      expect(parse(again)).to.deep.equal({ batch: 1, file: at('again.xml'), count: 2, total: 24.68 });
      expect(readFileSync(at('again.xml'))).to.deep.equal(readFileSync(at('a.xml')));
      expect(statSync(at('again.xml')).mode & 0o777).to.equal(0o600);
      expect(parse(listed)[0]).to.include({ id: 1, format: 'sepa', status: 'open', count: 2, total: 24.68, file_complete: true });
      expect(JSON.parse(other.out).batch, 'a payout of a batch that was not cancelled is in no other').to.equal(null);
      expect(parse(paid)).to.deep.equal({
        batch: 1,
        status: 'paid',
        changed: 1,
        failed: [],
        unchanged: [{ payout_id: payouts['ben'], status: 'paid' }],
      });
      expectCommandError(twice, 'Batch 1 is paid already.');
      const [refused] = (await run(batch('file', 1, '--out', at('paid.xml')))) as [CommandOutcome];
      expectCommandError(refused, /Batch 1 is paid, so its file is not given out again/);
      expect(existsSync(at('paid.xml'))).to.equal(false);
      const statuses = parse(shown).payouts.map((payout: { payout_id: number; status: string }) => [payout.payout_id, payout.status]);
      expect(statuses).to.deep.equal([
        [payouts['ada'], 'paid'],
        [payouts['ben'], 'paid'],
      ]);
      expect((await admin.get(`/payouts/${payouts['ada']}`)).body.date_paid).to.be.a('string');
      const { body } = await admin.get('/events?after=0&per_page=100&event=payout_paid');
      expect(body.map(({ event_id }: { event_id: number }) => event_id)).to.have.members([payouts['ada'], payouts['ben']]);
    });

    it('cancel a batch: its payouts are pending again, its file is not written again, and they can be in another', async () => {
      const outcomes = await run(
        file('paypal', 'p.csv', '--json'),
        batch('cancel', 2, '--json'),
        batch('file', 2, '--out', at('p2.csv')),
        batch('paid', 2),
        file('paypal', 'p3.csv', '--json'),
        batch('cancel', 3, '--json'),
      );
      const [written, pending, refused, unpaid, anew, cancelled] = outcomes as [CommandOutcome, ...CommandOutcome[]] & CommandOutcome[];
      expect(parse(written)).to.include({ batch: 2, count: 1 });
      expect(parse(pending as CommandOutcome)).to.deep.equal({ batch: 2, status: 'cancelled', changed: 1, failed: [], unchanged: [] });
      expectCommandError(
        refused as CommandOutcome,
        /Batch 2 is cancelled, so its file is not given out again: .* GET \/payout-batches\/2 \(affiliate payout batch show 2\)\.\n$/,
      );
      expectCommandError(unpaid as CommandOutcome, 'Batch 2 is cancelled already.');
      expect(parse(anew as CommandOutcome)).to.include({ batch: 3, count: 1 });
      expect(readFileSync(at('p3.csv'), 'utf8')).to.equal(
        `pam@pay.example,12.34,EUR,PAYOUT-${payouts['pam']},My store payout ${payouts['pam']} pam\r\n`,
      );
      expect(parse(cancelled as CommandOutcome)).to.include({ changed: 1 });
      expect(await statusOf('pam')).to.equal('pending');
    });

    it('record failed payments, with the batch or after it was paid: the amount is unpaid again, and a new payout is in a new batch', async () => {
      const returned = payouts['ada'] ?? 0;
      const userId = (await admin.get(`/payouts/${payouts['old']}`)).body.user.id;
      await payoutDetails(service, { userId, method: 'Bank', methodType: 'banktransfer', details: bankDetails('Old') });
      const refused = payouts['old'] ?? 0;
      const outcomes = await run(
        batch('paid', 1, '--failed', returned, '--json'),
        batch('paid', 1, '--failed', returned),
        batch('paid', 1, '--failed', refused),
        batch('paid', 3, '--failed', returned),
        batch('paid', 1, '--failed', 'ada'),
      );
      const [failed, twice, foreign, cancelled, noId] = outcomes as [CommandOutcome, ...CommandOutcome[]] & CommandOutcome[];
      expect(parse(failed)).to.deep.equal({ batch: 1, status: 'paid', changed: 0, failed: [returned], unchanged: [] });
      expectCommandError(
        twice as CommandOutcome,
        `Payout ${returned} is failed. Only a payout that is created, processing or paid can fail.`,
      );
      expectCommandError(foreign as CommandOutcome, `Payout ${refused} is not in batch 1. Nothing was changed.`);
      expectCommandError(cancelled as CommandOutcome, 'Batch 3 is cancelled already.');
      expectCommandError(
        noId as CommandOutcome,
        '"ada" is not the id of a payout. affiliate payout batch show lists the payouts of a batch.',
      );
      expect((await admin.get(`/coupons/${coupons['ada']}`)).body).to.include({ unpaid_commission: 12.34, paid_commission: 0 });

      const again = await request('ada');
      const [next, paid, shown] = (await run(
        file('sepa', 'd.xml', '--json', '--despite-changes'),
        batch('paid', 4, '--failed', refused, '--failed', refused),
        batch('show', 4, '--json'),
      )) as [CommandOutcome, CommandOutcome, CommandOutcome];
      expect(parse(next)).to.deep.equal({ batch: 4, file: at('d.xml'), count: 2, total: 37.02, left_out: [] });
      expect(paid.out).to.equal(`Batch 4 is paid: 1 payout is now paid.\nPayout ${refused} failed. Its amount is unpaid again.\n`);
      const statuses = parse(shown).payouts.map((payout: { payout_id: number; status: string }) => [payout.payout_id, payout.status]);
      expect(statuses).to.deep.equal([
        [refused, 'failed'],
        [again, 'paid'],
      ]);
      await request('old');
      const [last] = (await run(file('sepa', 'e.xml'))) as [CommandOutcome];
      expect(last.out).to.match(/^Batch 5: 1 payout, 24\.68 EUR in all, written to /);
      const { body } = await admin.get('/events?after=0&per_page=100&event=payout_failed');
      expect(body.map(({ event_id }: { event_id: number }) => event_id)).to.deep.equal([returned, refused]);
    });

    it('are all or nothing: figures that the ledger does not hold leave no file and no batch', async () => {
      await request('pam');
      const observer = await engine.observe(service.databaseUrl);
      const changeLedger = (by: number) =>
        observer.query(
          `update ledger set amount_minor = amount_minor + ${by} where payout_id = ${payouts['pam']} and pool = 'pending_payout'`,
        );
      const restore = await disableIntegrityChecks(engine, observer);
      await changeLedger(1);
      const [refused] = (await run(file('paypal', 'wrong.csv'))) as [CommandOutcome];
      await changeLedger(-1);
      await restore();
      expectCommandError(refused, /and the ledger holds 0 of 0 \(minor units\)\. Nothing was changed: run affiliate ledger verify\.\n$/);
      expect(await statusOf('pam')).to.equal('pending');
      expect(readdirSync(folder).filter((name) => name.includes('wrong'))).to.deep.equal([]);
    });

    it('that end between the commit and the file leave a batch that doctor names and that payout batch file completes', async () => {
      const program = buildProgram(await service.settings.current());
      const context = {
        change: { now: service.clock.now(), userId: 0, program },
        detailsSecrets: secrets,
        fileSecrets: createSecrets('payout_file', masterKey, systemRandom),
        holds: holdNothing,
      };
      const payer = { name: '', iban: '', bic: '', town: '', country: '' };
      const { batch: left } = await service.storage.write((transaction) =>
        createBatch(transaction, { format: 'csv', fileName: at('lost.csv'), payer }, context),
      );
      const id = left?.id ?? 0;
      const [doctor, none, completed, healthy] = (await run(
        ['doctor'],
        file('csv', 'next.csv', '--json'),
        batch('file', id, '--out', at('lost.csv'), '--json'),
        ['doctor'],
      )) as [CommandOutcome, CommandOutcome, CommandOutcome, CommandOutcome];
      expect(doctor.out).to.match(new RegExp(`problem +payout batch +Batch ${id} has 2 payouts[^]*payout batch file ${id} --out`));
      expect(JSON.parse(none.out)).to.include({ batch: null });
      expect(parse(completed)).to.include({ batch: id, count: 2 });
      expect(readFileSync(at('lost.csv'), 'utf8'))
        .to.include('wim@pay.example')
        .and.include('pam@pay.example');
      expect(healthy.out).not.to.include('payout batch');
      const [verified] = (await run(['ledger', 'verify', '--json'])) as [CommandOutcome];
      expect(parse(verified)).to.include({ ok: true });
    });

    it('leave out payouts of affiliates who owe commission, and payouts whose details were replaced after the request', async () => {
      const details = (userId: number, email: string) =>
        payoutDetails(service, { userId, method: 'Method', methodType: 'paypal', details: { email } });
      const deb = await addAffiliate('deb', 'paypal', { email: 'deb@pay.example' });
      const debt = { id: newOrderId(), coupon: await coupon(service, 'deb-2', { userId: deb }), at: '2026-11-01T12:00:00Z', total: 1000 };
      await orders(service, [debt]);
      const { body } = await admin.post('/payouts', { json: { coupon_id: debt.coupon } });
      await admin.post(`/payouts/${body.id}/status`, { json: { status: 'paid' } });
      await orders(service, [{ ...debt, status: 'cancelled' }]);
      const cha = await addAffiliate('cha', 'paypal', { email: 'cha@pay.example' });
      (service.clock as TestClock).advance(1000);
      await details(cha, 'thief@pay.example');
      const [careful, despite] = (await run(
        file('paypal', 'doubt.csv', '--json'),
        file('paypal', 'doubt.csv', '--json', '--despite-debt', '--despite-changes'),
      )) as [CommandOutcome, CommandOutcome];
      expect(JSON.parse(careful.out)).to.deep.include({
        batch: null,
        left_out: [
          { payout_id: payouts['deb'], reason: 'The affiliate owes 100.00 EUR over all coupons: --despite-debt includes the payout.' },
          {
            payout_id: payouts['cha'],
            reason: 'The payout details were replaced after the request: --despite-changes includes the payout.',
          },
        ],
      });
      expect(parse(despite)).to.include({ count: 2, total: 24.68 });
    });

    it('that stay open for a week are named by doctor, with payouts that are created and in no batch', async () => {
      const id = await request('ada');
      await admin.post(`/payouts/${id}/status`, { json: { status: 'created' } });
      const observer = await engine.observe(service.databaseUrl);
      await observer.query(`update payout_batches set created_at = created_at - 8 * 86400000 where status = 'open'`);
      const [doctor] = (await run(['doctor'])) as [CommandOutcome];
      expect(doctor.out)
        .to.match(/warning +payout batch +Batch 7 has been open for 8 days\. Run affiliate payout batch paid 7/)
        .and.match(new RegExp(`warning +payouts +Payouts that are created and in no batch: ${id}\\. No payout file takes them`));
    });
  });
});
