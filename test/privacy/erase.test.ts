import { expect } from 'chai';
import { recordKinds } from '../../cli/import-export/record-reader.ts';
import { expectCommandError } from '../cli/machine.ts';
import { onAnyEngine } from '../support/engines.ts';
import { findInDatabase, findInFiles, login, type MarkedProgram, openMarkedProgram, personal, staying } from './marked-person.ts';

/** Texts that people can write and that stay, by the guide: codes and campaigns. */
const stayingColumns = [
  'clicks.campaign',
  'coupons.code',
  'coupons.code_folded',
  'events.data',
  'events.info',
  'orders.campaign',
  'visitor_counts.campaign',
  'visitor_days.campaign',
  'webhook_attempts.excerpt',
  'webhook_deliveries.data',
];

onAnyEngine((engine) => {
  describe('affiliate user erase', function () {
    this.timeout(120_000);
    let program: MarkedProgram;
    let figuresBefore: Record<string, unknown>;
    let printed: { id: number; login: string; erased: string[]; stays: string[] };

    const readFigures = async (): Promise<Record<string, unknown>> => {
      const { admin, machine, couponId, person } = program;
      const addresses = [
        '/reports/summary',
        `/coupons/${couponId}/stats`,
        `/affiliates/${person.id}/stats`,
        `/affiliates/${person.id}/clicks`,
        '/clicks/stats',
        `/coupons/${couponId}/orders`,
      ];
      const figures: Record<string, unknown> = { report: await machine.json('report') };
      for (const address of addresses) figures[address] = (await admin.get(address)).body;
      const { body } = await admin.get(`/coupons/${couponId}`);
      figures['balances'] = Object.entries(body).filter(([name]) => name.endsWith('_commission'));
      return figures;
    };
    const inDatabase = (text: string) => findInDatabase(engine, program.service.databaseUrl, text);
    const inFiles = (text: string) => findInFiles(program.service.dataDir, program.service.databaseUrl, text);

    before(async () => {
      program = await openMarkedProgram(engine);
      figuresBefore = await readFigures();
    });

    it('starts from a person who is found in the columns that hold personal data, so that the search proves something', async () => {
      expect(Object.keys(await inDatabase(personal))).to.include.members([
        'adjustments.note',
        'api_keys.description',
        'app_passwords.name',
        'events.info',
        'events.data',
        'idempotency_keys.answer',
        'idempotency_keys.idempotency_key',
        'mails.recipient',
        'mails.recipient_name',
        'one_time_tokens.data',
        'payout_details.method',
        'payouts.method',
        'registrations.custom_fields',
        'registrations.email',
        'registrations.message',
        'users.custom_fields',
        'users.display_name',
        'users.email',
        'users.groups',
        'users.login',
        'users.profile',
        'webhook_attempts.excerpt',
        'webhook_deliveries.data',
      ]);
      expect(inFiles(personal).filter((file) => file.endsWith('.eml'))).to.have.length.above(3);
    });

    it('refuses the last administrator', async () => {
      const outcome = await program.machine.run(['user', 'erase', 'boss']);
      expectCommandError(outcome, /^boss is the last administrator\. /);
    });

    it('prints both lists, and does not ask without a terminal', async () => {
      printed = await program.machine.json('user', 'erase', login);
      expect(printed).to.include({ id: program.person.id, login: `erased-${program.person.id}` });
      expect(printed.erased).to.include('3 applications');
      expect(printed.stays.join('\n')).to.match(/1 order, \d+ rows of the ledger, 1 payout/);
      expect(printed.stays.join('\n')).to.match(/1 invoice, with their files in \S+invoices/);
    });

    it('leaves the person in no column of any table, and in no file of DATA_DIR or of the database', async () => {
      expect(await inDatabase(personal)).to.deep.equal({});
      expect(inFiles(personal)).to.deep.equal([]);
    });

    it('leaves what stays in the columns that the guide lists, and the invoice on disk', async () => {
      expect(Object.keys(await inDatabase(staying)).filter((column) => !stayingColumns.includes(column))).to.deep.equal([]);
      expect(Object.keys(await inDatabase(staying))).to.include.members(['coupons.code', 'orders.campaign']);
      expect(inFiles(staying).filter((file) => file.includes('/invoices/'))).to.have.length(1);
    });

    it('leaves nothing but the number in tables with a user, except those that stay', async () => {
      const observer = await engine.observe(program.service.databaseUrl);
      const stored = await observer.query<Record<string, unknown>>(`select * from users where id = ${program.person.id}`);
      const { id: _id, registered_at: _registered, disabled_at: _disabled, ...rest } = stored[0] ?? {};
      expect(
        Object.values(rest).filter(
          (value) => typeof value === 'string' && !/^(erased-\d+(@erased\.invalid)?|affiliate|\{\}|\[\]|\d)$/.test(value),
        ),
      ).to.deep.equal([]);
      for (const table of [
        'sessions',
        'api_keys',
        'app_passwords',
        'one_time_tokens',
        'payout_details',
        'registrations',
        'idempotency_keys',
      ])
        expect(await observer.query(`select * from ${table} where user_id = ${program.person.id}`), table).to.deep.equal([]);
      expect(await observer.query('select id from payout_batches where encrypted_file is not null')).to.deep.equal([]);
    });

    it('leaves the person in no export', async () => {
      for (const kind of recordKinds) expect((await program.machine.text('export', kind)).toLowerCase(), kind).not.to.include(personal);
    });

    it('leaves statistics, reports and balances the same to the cent, and the ledger verifies', async () => {
      const after = await readFigures();
      // Without names, the moment of the report, and the application that was undecided.
      const numbersOf = (figures: Record<string, unknown>): unknown =>
        JSON.parse(
          JSON.stringify(figures, (name, value: unknown) =>
            typeof value === 'number' || (typeof value === 'object' && value !== null)
              ? name === 'pending_registrations'
                ? 0
                : value
              : null,
          ),
        );
      expect(numbersOf(after)).to.deep.equal(numbersOf(figuresBefore));
      await program.machine.text('ledger', 'verify');
      expect(await program.service.differences()).to.deep.equal([]);
    });

    it('leaves others as they are', async () => {
      expect(Object.keys(await inDatabase('zqother'))).to.include.members(['users.login', 'users.email', 'coupons.code']);
    });

    it('frees the login: a later import of it is a new user', async () => {
      const { machine } = program;
      const line = JSON.stringify({ kind: 'user', id: program.person.id, login, email: 'fresh@person.example', display_name: 'Fresh' });
      const { code } = await machine.run(['import', '-'], { input: `${line}\n` });
      expect(code).to.equal(0);
      const users = await machine.json<{ id: number; login: string }[]>('user', 'list');
      expect(users.find((user) => user.login === login)?.id).to.be.above(program.person.id);
      expect(users.find(({ id }) => id === program.person.id)?.login).to.equal(printed.login);
    });
  });
});
