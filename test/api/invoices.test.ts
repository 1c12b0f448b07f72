import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { assignCoupon } from '../../domain/coupons/create.ts';
import { ApiError } from '../../domain/errors.ts';
import { recordInvoice } from '../../domain/invoices/hand-in.ts';
import { systemRandom } from '../../domain/random.ts';
import { hashPassword } from '../../domain/users/password.ts';
import { InvoiceFiles, invoiceFolder } from '../../server/invoices/invoice-files.ts';
import { buildProgram } from '../../site/program.ts';
import { abortBody } from '../support/aborted-body.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { jpeg, pdf, png } from '../support/invoices.ts';
import { failPayout, openPayoutStore } from '../support/payouts.ts';
import { coupon, payoutDetails } from '../support/program.ts';

interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

const required = 'payouts.methods.paypal.invoice_required';

onAnyEngine((engine) => {
  describe('invoices', () => {
    const store = suiteFixture(() => openPayoutStore(engine));
    let folder: string;
    let own: Record<string, string>;
    let boss: Record<string, string>;
    let foreignCoupon: number;

    const call = async (to: string, init: RequestInit = {}): Promise<Answer> => {
      const response = await fetch(`${store.service.origin}${to}`, { redirect: 'manual', ...init });
      const text = await response.text();
      const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    };
    const handIn = (body: Buffer | string, { query = `?coupon_id=${store.couponId}`, headers = own } = {}): Promise<Answer> =>
      call(`/console/invoices${query}`, { method: 'POST', body, headers });
    const listed = async () => (await call('/console/invoices.json', { headers: own })).body;
    const request = () => store.request();
    const change = (id: number, status: string) => store.change(id, status);
    const reasons = async () => (await store.affiliate.get(`/coupons/${store.couponId}`)).body.payout_eligibility.reasons;
    /** So that the next test begins without a waiting invoice and with an unpaid balance. */
    const useUp = async (): Promise<void> => {
      for (const { payout_id } of (await listed()).invoices)
        if (payout_id === 0) {
          await store.earn(10);
          await change((await request()).body.id, 'paid');
        }
      await store.earn(100);
    };

    before(async () => {
      const { service, user } = store;
      folder = invoiceFolder({ dataDir: service.dataDir });
      await service.user('heir', 'affiliate');
      await service.user('keeper', 'administrator', { password: 'a long one' });
      const other = await service.user('other', 'affiliate', { password: 'a long one' });
      foreignCoupon = await coupon(service, 'OTHER', { userId: other.id });
      const hash = await hashPassword('a long one', systemRandom);
      await service.storage.write((transaction) => transaction.users.setPasswordHash(user.id, hash));
      own = await service.session('trail', 'a long one');
      boss = await service.session('keeper', 'a long one');
    });

    it('are not handed in where the payout method needs none', async () => {
      expect([(await handIn(pdf())).status, (await listed()).is_needed]).to.deep.equal([409, false]);
      expect(existsSync(folder)).to.equal(false);
      await store.set(required, true);
      expect((await listed()).is_needed).to.equal(true);
    });

    it('serve one payout: the next of the coupon takes it, a cancelled or failed one leaves it, a re-opened one takes it again', async () => {
      expect(await reasons()).to.deep.equal(['svc_api_invoice_required']);
      expect([(await request()).status, (await request()).body.code]).to.deep.equal([400, 'svc_api_invoice_required']);
      const { status, body: invoice } = await handIn(pdf());
      expect([status, invoice]).to.deep.equal([
        201,
        {
          id: invoice.id,
          coupon_id: store.couponId,
          coupon_code: 'TRAIL10',
          type: 'application/pdf',
          size: pdf().length,
          date: '2026-11-02T07:00:00',
          payout_id: 0,
        },
      ]);
      expect(readFileSync(path.join(folder, String(invoice.id)))).to.deep.equal(pdf());
      expect(readdirSync(folder)).to.deep.equal([String(invoice.id)]);
      const modes = [folder, path.join(folder, String(invoice.id))].map((name) => statSync(name).mode & 0o777);
      expect(modes).to.deep.equal([0o700, 0o600]);
      expect(await reasons()).to.deep.equal([]);

      const { body: payout } = await request();
      expect(payout.invoice_id).to.equal(invoice.id);
      const inList = async () => (await listed()).invoices.find(({ id }: { id: number }) => id === invoice.id).payout_id;
      expect(await inList()).to.equal(payout.id);
      const states: [status: string, invoiceId: number, servedPayout: number][] = [
        ['created', invoice.id, payout.id],
        ['cancel', 0, 0],
        ['pending', invoice.id, payout.id],
        ['paid', invoice.id, payout.id],
        ['cancel', 0, 0],
      ];
      for (const [to, invoiceId, served] of states)
        expect([(await change(payout.id, to)).body.invoice_id, await inList()], to).to.deep.equal([invoiceId, served]);
      const { body: failed } = await request();
      await change(failed.id, 'paid');
      expect([(await failPayout(store.service, failed.id)).invoiceId, await inList()], 'failed').to.deep.equal([0, 0]);
      const { body: next } = await request();
      expect([next.invoice_id, next.id > failed.id]).to.deep.equal([invoice.id, true]);
      await change(next.id, 'paid');
      await store.earn(100);
      expect((await request()).body.code).to.equal('svc_api_invoice_required');
    });

    it('of two payouts at once, one gets it', async () => {
      const { body: invoice } = await handIn(png());
      const answers = await Promise.all(Array.from({ length: 6 }, () => request()));
      const made = answers.filter(({ status }) => status === 201);
      expect([made.length, made[0]?.body.invoice_id]).to.deep.equal([1, invoice.id]);
      await change(made[0]?.body.id, 'cancel');
      // A cancelled one is opened again while another is requested.
      const raced = await Promise.all([change(made[0]?.body.id, 'pending'), request(), request()]);
      expect(raced.some(({ status }) => status < 300)).to.equal(true);
      const { body: all } = await store.admin.get('/payouts?per_page=100');
      const holders = all.filter(({ invoice_id }: { invoice_id: number }) => invoice_id === invoice.id);
      expect(holders).to.have.length(1);
      await change(holders[0].id, 'paid');
      await store.earn(100);
    });

    it('are PDF, PNG and JPEG files by their content, and anything else is refused and leaves nothing', async () => {
      const before = readdirSync(folder);
      const markup = '<html><script>alert(1)</script></html>';
      const large = Buffer.concat([pdf().subarray(0, 9), Buffer.alloc(5 * 2 ** 20 - 9 - 6, ' '), Buffer.from('%%EOF\n')]);
      const refused: [name: string, body: Buffer | string, status: number][] = [
        ['nothing', '', 415],
        ['HTML', markup, 415],
        ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 415],
        ['a PDF head with HTML', `%PDF-1.4\n${markup}`, 415],
        ['a PDF with HTML at its start', Buffer.concat([Buffer.from(`%PDF-1.4\n${markup}\n`), pdf()]), 415],
        ['a PDF with HTML at its end', Buffer.concat([pdf(), Buffer.from(markup)]), 415],
        ['HTML with a PDF in it', Buffer.concat([Buffer.from(markup), pdf()]), 415],
        ['half a PDF', pdf().subarray(0, 60), 415],
        ['half a PNG', png().subarray(0, 40), 415],
        ['a PNG with HTML at its end', Buffer.concat([png(), Buffer.from(markup)]), 415],
        ['a PNG without its first chunk', Buffer.concat([png().subarray(0, 8), png().subarray(33)]), 415],
        ['a PNG of 430,000 empty chunks', png(430_000), 415],
        ['half a JPEG', jpeg({ isWhole: false }), 415],
        ['a GIF', 'GIF89a', 415],
        ['a ZIP', 'PK\u0003\u0004', 415],
        ['a form', `--x\r\nContent-Disposition: form-data; name="f"; filename="../../x.pdf"\r\n\r\n${pdf()}\r\n--x--`, 415],
        ['5 MiB and a byte', Buffer.concat([large, Buffer.from('\n')]), 413],
      ];
      for (const [name, body, status] of refused) {
        const answer = await handIn(body);
        expect([answer.status, typeof answer.body.message], name).to.deep.equal([status, 'string']);
      }
      expect(readdirSync(folder)).to.deep.equal(before);
      for (const [body, type] of [
        [large, 'application/pdf'],
        [png(), 'image/png'],
        [jpeg(), 'image/jpeg'],
        [jpeg({ trailer: 'SEFT of a phone' }), 'image/jpeg'],
      ] as const)
        expect((await handIn(body, { headers: { ...own, 'Content-Type': 'text/html' } })).body.type).to.equal(type);
      await useUp();
    });

    it('are handed in by their affiliate alone, in a session with its token', async () => {
      const { Cookie = '', 'X-Svc-CSRF': token = '' } = own;
      const key = (await store.service.key(store.user, ['read', 'write'])).headers;
      const basic = await store.service.appPassword(store.user);
      const before = readdirSync(folder).length;
      const refused: [name: string, options: { query?: string; headers?: Record<string, string> }, status: number, code: string][] = [
        ['no session', { headers: {} }, 401, 'svc_api_unauthorized'],
        ['an ended session', { headers: { Cookie: 'svc_session=x', 'X-Svc-CSRF': token } }, 401, 'svc_api_unauthorized'],
        ['a key', { headers: key }, 403, 'svc_api_key_wrong_namespace'],
        ['an application password', { headers: basic }, 401, 'svc_api_unauthorized'],
        ['no token', { headers: { Cookie } }, 403, 'svc_api_csrf_failed'],
        ['the token of another', { headers: { Cookie, 'X-Svc-CSRF': boss['X-Svc-CSRF'] ?? '' } }, 403, 'svc_api_csrf_failed'],
        ['a foreign coupon', { query: `?coupon_id=${foreignCoupon}` }, 404, 'svc_api_not_found'],
        ['a foreign coupon, as an admin', { headers: boss }, 404, 'svc_api_not_found'],
        ['a missing coupon', { query: '?coupon_id=999999' }, 404, 'svc_api_not_found'],
        ...['', '?coupon_id=', '?coupon_id=../../x', '?coupon_id=1%0d%0ax', '?coupon_id=1&coupon_id=2'].map(
          (query) => [`the query "${query}"`, { query }, 400, 'rest_invalid_param'] as [string, { query: string }, number, string],
        ),
      ];
      for (const [name, options, status, code] of refused) {
        const answer = await handIn(pdf('refused'), options);
        expect([answer.status, answer.body.code], name).to.deep.equal([status, code]);
      }
      expect(await abortBody(store.service, '/console/invoices', { ...own })).to.include({ status: 400 });
      expect(readdirSync(folder)).to.have.length(before);
      await store.set('limits.authenticated', 0);
      expect((await handIn(pdf('refused'))).status).to.equal(429);
      await store.set('limits.authenticated', 1_000_000);
      await store.set('switches.payouts', false);
      expect([(await handIn(pdf())).status, (await call('/console/invoices.json', { headers: own })).status]).to.deep.equal([404, 404]);
      await store.set('switches.payouts', true);
    });

    it('are downloads for the affiliate and for admins, which no browser shows as a page', async () => {
      const { body: invoice } = await handIn(pdf('download'));
      const to = `/console/invoices/${invoice.id}`;
      for (const headers of [own, boss]) {
        const answer = await call(to, { headers });
        expect([answer.status, answer.body]).to.deep.equal([200, String(pdf('download'))]);
        expect(Object.fromEntries(answer.headers)).to.include({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="invoice-${invoice.id}.pdf"`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': 'no-store',
        });
      }
      const other = await store.service.session('other', 'a long one');
      expect([(await call(to, { headers: other })).status, (await call(`${to}999`, { headers: own })).status]).to.deep.equal([404, 404]);
      const anonymous = await call(to);
      expect([anonymous.status, anonymous.headers.get('Location')]).to.deep.equal([303, `/sign-in?to=${encodeURIComponent(to)}`]);
      const file = path.join(folder, String(invoice.id));
      writeFileSync(file, pdf('forged'));
      expect((await call(to, { headers: own })).body.message).to.match(/^The file of invoice \d+ is changed\./);
      rmSync(file);
      expect((await call(to, { headers: own })).status).to.equal(500);
      writeFileSync(file, pdf('download'));
      await useUp();
    });

    it('wait in a bounded number, however many are sent at once', async function () {
      this.timeout(60_000);
      const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => handIn(pdf(`parallel ${at}`))));
      expect(answers.every(({ status }) => status === 201 || status === 409)).to.equal(true);
      let last = await handIn(pdf('again'));
      for (let at = 0; at < 30 && last.status === 201; at += 1) last = await handIn(pdf(`one by one ${at}`));
      expect([last.status, last.body.code]).to.deep.equal([409, 'svc_api_conflict']);
      const { invoices, max_waiting } = await listed();
      expect(invoices.filter(({ payout_id }: { payout_id: number }) => payout_id === 0)).to.have.length(max_waiting);
      expect((await handIn('no invoice at all')).body.code, 'checked before the file is examined').to.equal('svc_api_conflict');
      // Other processes are not stopped by the lock of this one.
      const files = new InvoiceFiles(folder);
      const row = { userId: store.user.id, couponId: store.couponId, type: 'application/pdf', size: 1, sha256: 'x', createdAt: 1 } as const;
      const beyond = files.save(pdf(), (place) => store.service.storage.write((transaction) => recordInvoice(transaction, row, place)));
      expect(await beyond.catch((error: unknown) => error)).to.be.instanceOf(ApiError);
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).to.deep.equal([]);
    });

    it('leave a file without a record after a crash, never a record without a file, and that is removed after an hour', async () => {
      const files = new InvoiceFiles(folder);
      const { storage } = store.service;
      const crash = new Error('crash');
      const rows = async () => (await storage.read(({ invoices }) => invoices.list({}))).length;
      const before = { rows: await rows(), files: readdirSync(folder).toSorted() };
      const other = await storage.read((db) => db.users.byLoginOrEmail('other'));
      const row = { userId: other?.id ?? 0, couponId: foreignCoupon, type: 'application/pdf', size: 1, sha256: 'x', createdAt: 1 } as const;
      let id = 0;
      const crashed = files.save(pdf('crash'), (place) =>
        storage.write(async (transaction) => {
          ({ id } = await recordInvoice(transaction, row, place));
          throw crash;
        }),
      );
      expect(await crashed.catch((error: unknown) => error)).to.equal(crash);
      const left = readdirSync(folder).filter((name) => !before.files.includes(name));
      expect([await rows(), left.toSorted()]).to.deep.equal([before.rows, [`.${id}.part`, String(id)]]);
      // A commit that was confirmed no more: the record exists.
      let kept = 0;
      const unconfirmed = files.save(pdf('kept'), async (place) => {
        ({ id: kept } = await storage.write((transaction) => recordInvoice(transaction, row, place)));
        throw crash;
      });
      await unconfirmed.catch(() => {});
      writeFileSync(path.join(folder, `.${'a'.repeat(32)}.part`), 'half');
      writeFileSync(path.join(folder, '987654'), 'of another database');
      expect(await files.removeAbandoned(storage, Date.now())).to.equal(0);
      const old = new Date(Date.now() - 2 * 60 * 60_000);
      for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), old, old);
      const reused = id === kept;
      expect(await files.removeAbandoned(storage, Date.now())).to.equal(reused ? 1 : 2);
      const names = readdirSync(folder).toSorted();
      expect(names).to.deep.equal([...before.files, String(kept), '987654'].toSorted());
      expect(readFileSync(path.join(folder, String(kept)))).to.deep.equal(pdf('kept'));
      rmSync(path.join(folder, '987654'));
    });

    it('never replace the file of another database', async () => {
      const aside = `${folder}.aside`;
      renameSync(folder, aside);
      mkdirSync(folder);
      for (let id = 1; id < 500; id += 1) writeFileSync(path.join(folder, String(id)), 'of another database');
      const other = await store.service.session('other', 'a long one');
      expect((await handIn(pdf('foreign'), { query: `?coupon_id=${foreignCoupon}`, headers: other })).status).to.equal(500);
      expect(readdirSync(folder).every((name) => readFileSync(path.join(folder, name), 'utf8') === 'of another database')).to.equal(true);
      rmSync(folder, { recursive: true });
      renameSync(aside, folder);
    });

    it('of a former owner are not used for payouts of the new one', async () => {
      const { service, couponId } = store;
      const heir = await service.storage.read((db) => db.users.byLoginOrEmail('heir'));
      const userId = heir?.id ?? 0;
      await payoutDetails(service, { userId, method: 'PayPal', methodType: 'paypal', details: { email: 'heir@pay.example' } });
      await change((await request()).body.id, 'paid');
      expect((await listed()).invoices.some(({ payout_id }: { payout_id: number }) => payout_id === 0)).to.equal(true);
      const program = buildProgram(await service.settings.current());
      await service.storage.write((transaction) =>
        assignCoupon(transaction, couponId, userId, { now: service.clock.now(), userId: 0, program }),
      );
      await store.earn(100);
      expect((await store.admin.post('/payouts', { json: { coupon_id: couponId } })).body.code).to.equal('svc_api_invoice_required');
      expect((await handIn(pdf())).status).to.equal(404);
    });
  });
});
