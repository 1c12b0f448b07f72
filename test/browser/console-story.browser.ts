import { expect } from 'chai';
import { submit } from '../support/applications.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { type ConsoleSite, checkPage, downloadLines, openConsole, startConsoleSite, visit, waitUntilShown } from './console-site.ts';
import type { ObservedPage } from './fixture.ts';

const markup = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
const rightToLeft = 'מסלולי הרים (שלום) \u202Eevil';
const long = `${'Averyveryverylongname'.repeat(4)} ${'and more '.repeat(6)}`.trim();

const formulas = ['=1+1', '+1+1', '-1+1', '@SUM(1)'];
const separated = 'a;=1+1';

/** The cells of a line of CSV, without their quotes. */
const splitCsvLine = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => (quoted ?? plain ?? '').replaceAll('""', '"'));

describe('the console', () => {
  let site: ConsoleSite;
  let admin: ObservedPage;
  let dialogs = 0;
  before(async () => {
    site = await startConsoleSite();
    admin = await openConsole(site, 'admin');
    admin.page.on('dialog', (dialog) => {
      dialogs += 1;
      return dialog.dismiss();
    });
  });
  after(async () => {
    await admin.close();
    await site.service.stop();
  });

  describe('with hostile and unusual text in every record', () => {
    let victim: number;
    let longCoupon: number;
    const longOrder = newOrderId();
    before(async () => {
      const { service, adminClient } = site;
      for (const [index, text] of [markup, rightToLeft, long].entries())
        await submit(service, {
          login: `hostile${index}`,
          email: `hostile${index}@shop.example`,
          displayName: text,
          couponCode: `H${index}`,
          promote: text,
          referrer: text,
          website: `https://x.example/?${encodeURIComponent(text)}`,
          customFields: { [text.slice(0, 60)]: text },
        });
      const { body } = await adminClient.get<{ id: number }[]>('/registrations?search=hostile');
      for (const { id } of body)
        await adminClient.post(`/registrations/${id}/status`, { json: { status: 'accepted', message: markup, send_email: false } });
      const { body: affiliates } = await adminClient.get<{ id: number }[]>('/affiliates?search=hostile0');
      victim = affiliates[0]?.id ?? 0;
      const couponId = await coupon(service, '"><b>', { userId: victim });
      longCoupon = await coupon(service, 'X'.repeat(100), { userId: victim });
      const at = new Date(service.clock.now() - 86_400_000).toISOString();
      await orders(service, [
        { id: newOrderId(), coupon: couponId, at, total: 99_999_999.99, campaign: '=cmd|calc' },
        { id: newOrderId(), coupon: couponId, at, total: 0, campaign: markup.slice(0, 60) },
        { id: longOrder, coupon: longCoupon, at, total: 99_999_999.99, campaign: 'C'.repeat(90) },
      ]);
      await payoutDetails(service, { userId: victim, method: markup, methodType: 'custom', details: { note: 'x' } });
      await adminClient.post('/webhooks', { json: { name: markup.slice(0, 100), url: 'https://books.example/hook', events: ['*'] } });
      await adminClient.post('/keys', { json: { description: markup, scopes: ['read'] } });
    });

    for (const path of ['program', 'affiliates', 'coupons', 'applications', 'feed', 'webhooks', 'keys'])
      it(`shows it as text at /console/${path}, and still fits a phone`, async () => {
        await visit(admin, site, `/console/${path}`);
        await checkPage(admin);
        expect(await admin.page.locator('main').locator('img, script').count()).to.equal(0);
        expect(dialogs).to.equal(0);
      });

    it('shows it as text on the page of one affiliate, one coupon and in dialogs', async () => {
      await visit(admin, site, `/console/affiliates/${victim}`);
      await checkPage(admin);
      await admin.page.getByRole('table', { name: 'Coupons' }).getByRole('link', { name: '"><b>' }).click();
      await waitUntilShown(admin.page);
      await checkPage(admin);
      await visit(admin, site, '/console/applications?search=hostile');
      for (const text of [markup, long]) {
        await admin.page
          .getByRole('button', { name: text.slice(0, 20) })
          .first()
          .click();
        await checkPage(admin);
        await admin.page.getByRole('button', { name: 'Close' }).click();
      }
      expect(await admin.page.locator('main img, main script').count()).to.equal(0);
      expect(dialogs).to.equal(0);
    });

    it('writes no cell that a spreadsheet would run as a formula into any CSV file', async () => {
      const { service, adminClient } = site;
      await submit(service, { login: 'separated', email: 'separated@shop.example', displayName: separated });
      for (const [index, text] of formulas.entries()) {
        await submit(service, {
          login: `formula${index}`,
          email: `formula${index}@shop.example`,
          displayName: text,
          couponCode: text,
          website: text,
        });
        await adminClient.post('/keys', { json: { description: text, scopes: ['read'] } });
        await adminClient.post('/webhooks', { json: { name: text, url: 'https://books.example/hook', events: ['*'] } });
      }
      const { body } = await adminClient.get<{ id: number }[]>('/registrations?search=formula');
      for (const { id } of body) await adminClient.post(`/registrations/${id}/status`, { json: { status: 'accepted', send_email: false } });
      const { body: affiliates } = await adminClient.get<{ id: number; coupons: { id: number }[] }[]>('/affiliates?search=formula');
      const at = new Date(service.clock.now() - 86_400_000).toISOString();
      for (const [index, { id, coupons }] of affiliates.entries()) {
        const couponId = coupons[0]?.id ?? 0;
        await orders(service, [{ id: newOrderId(), coupon: couponId, at, total: 1000, campaign: formulas[index] ?? '' }]);
        await payoutDetails(service, { userId: id, method: formulas[index] ?? '', methodType: 'custom', details: { note: 'x' } });
        await adminClient.post('/payouts', { json: { coupon_id: couponId } });
      }
      const [one] = affiliates;
      const pages = [
        'program',
        'affiliates',
        'program/orders?range=all',
        'coupons',
        'applications',
        'program/payouts',
        'feed',
        'webhooks',
        'keys',
      ];
      const files: string[] = [];
      const guarded: string[] = [];
      for (const path of [...pages, `affiliates/${one?.id}?range=all`, `coupons/${one?.coupons[0]?.id}?range=all`]) {
        await visit(admin, site, `/console/${path}`);
        for (const button of await admin.page.getByRole('button', { name: /^Download .* CSV$/ }).all()) {
          const name = (await button.getAttribute('aria-label')) ?? '';
          const lines = await downloadLines(admin.page, button);
          files.push(`${path.replace(/[?\d].*/, '')} ${name}`);
          const cells = lines.slice(1).flatMap(splitCsvLine);
          expect(
            cells.filter((cell) => /^[=+\-@]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell)),
            `${path}: ${name}`,
          ).to.deep.equal([]);
          // Quoted, because a spreadsheet of another locale separates cells by semicolons.
          for (const line of lines) if (line.includes(separated)) expect(line).to.match(/"[^"]*a;=1\+1[^"]*"/);
          guarded.push(...cells.filter((cell) => formulas.includes(cell.slice(1))));
        }
      }
      expect(files).to.have.length.above(pages.length);
      expect(new Set(guarded)).to.deep.equal(new Set(formulas.map((text) => `'${text}`)));
    });

    it('explains an order of a coupon with a very long code within the width of a phone, and breaks no amount', async () => {
      await visit(admin, site, `/console/coupons/${longCoupon}?explained=${longOrder}`);
      await admin.page.getByText('Checked').waitFor();
      await checkPage(admin);
      await admin.page.setViewportSize({ width: 390, height: 844 });
      const lines = await admin.page
        .locator('.figure-value')
        .evaluateAll((figures) =>
          (figures as unknown as { innerText: string; offsetHeight: number }[]).map(({ innerText, offsetHeight }) => [
            innerText,
            offsetHeight < 40,
          ]),
        );
      expect(lines.filter(([, isOneLine]) => !isOneLine)).to.deep.equal([]);
      expect(lines.map(([text]) => text)).to.include('€99,999,999.99');
    });

    it('shows the text of an error as text', async () => {
      await admin.page.route('**/api/v2/keys**', (route) =>
        route.fulfill({ status: 500, json: { code: 'svc_api_db_error', message: markup, data: { status: 500 } } }),
      );
      await admin.page.goto(`${site.origin}/console/keys`);
      await admin.page.getByRole('alert').getByText(markup).waitFor();
      await admin.page.unroute('**/api/v2/keys**');
      expect(dialogs).to.equal(0);
    });
  });
});
