import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService, waitUntil } from '../cli/running-service.ts';
import { wooOrder } from '../connectors/payloads.ts';
import { forEngineOrAll } from '../support/engines.ts';
import { createEarner } from '../support/payouts.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey, TestClock, TestService } from '../support/service.ts';

const siteModule = fileURLToPath(new URL('slow-gateway.mjs', import.meta.url));

/** How many requests of each kind. PROVE_STOPS: that many on each engine. */
const times = Number(process.env['PROVE_STOPS'] ?? 3);

/** A healthy stop takes a second or two, and a gateway of this test a third of one. */
const stopMs = 20_000;

const shop = 'https://shop.example';
const shopSecret = 'a secret of the shop';
const form = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: 'svc_form=token' };

interface Attempt {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Finds the row that must exist if the service has logged a success. */
  proof?: string;
}

const formOf = (fields: Record<string, string>): string => new URLSearchParams({ form_token: 'token', ...fields }).toString();

forEngineOrAll('sqlite', process.env['PROVE_STOPS'] !== undefined, (engine) => {
  describe('a service whose clients disconnect at any moment before it is stopped', function () {
    this.timeout(180_000);
    const seed = Date.now() % 100_000;
    const random = seededRandom(seed);
    let machine: Machine;
    let databaseUrl: string;
    let gatewayLog: string;
    let json: Record<string, string>;
    let connectionId: string;
    let coupons: number[];
    let pending: number[];
    let service: RunningService | undefined;

    before(async () => {
      databaseUrl = await engine.freshUrl();
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, SITE_MODULE: siteModule, TRUSTED_PROXIES: '127.0.0.1' });
      gatewayLog = path.join(machine.folder, 'book');
      const gateways = { slow: () => ({ status: 'paid' as const }) };
      const program = await TestService.start({ databaseUrl, clock: new TestClock(Date.now()), siteModule: { gateways } });
      await program.withoutLimits();
      const settings = {
        'addons.store': true,
        'addons.management': true,
        'store.url': shop,
        'service.url': 'https://partners.example',
        'registration.open': true,
        'payouts.auto_accept.gateway': 'slow',
        'payouts.auto_accept.max_amount': 500,
      };
      for (const [name, value] of Object.entries(settings)) await program.settings.set(name, value);
      const { headers } = await program.key(await program.user('boss', 'administrator'), ['read', 'write', 'manage']);
      json = { ...headers, 'Content-Type': 'application/json' };
      const admin = await program.client(headers);
      coupons = [];
      pending = [];
      for (let n = 0; n < 2 * times; n += 1) {
        await program.user(`lost${n}`, 'affiliate');
        coupons.push((await createEarner(program, `EARN${n}`, 100)).couponId);
      }
      for (const couponId of coupons.splice(times))
        pending.push((await admin.post('/payouts', { json: { coupon_id: couponId } })).body.id as number);
      await program.settings.set('payouts.auto_accept.enabled', true);
      connectionId = await program.storage.write(async (transaction) => {
        const secrets = createSecrets('store_secret', masterKey, systemRandom);
        const context = { now: Date.now(), random: systemRandom, secrets };
        return (await connectStore(transaction, { platform: 'woocommerce', name: '', secret: shopSecret }, context)).id;
      });
      await program.stop();
    });
    after(() => void service?.child.kill('SIGKILL'));

    /** Every unauthenticated request that writes, and every one that moves money. */
    function attempts(n: number, shown: string[]): Attempt[] {
      const order = JSON.stringify(wooOrder({ id: 7000 + n }));
      const signature = createHmac('sha256', shopSecret).update(order).digest('base64');
      // Several, because there are few moments at which a client that disconnects loses the mail.
      const applications = [1, 2, 3, 4, 5].map((m): Attempt => {
        const fields = {
          display_name: 'Gone',
          email: `gone${n}-${m}@apply.example`,
          coupon_code: `GONE${n}-${m}`,
          shown_at: shown.pop() ?? '',
        };
        return {
          path: '/apply',
          headers: form,
          body: formOf(fields),
          proof: `select 1 from mails where recipient like '%gone${n}-${m}@apply%'`,
        };
      });
      const click = JSON.stringify({ coupon: 'EARN0', visitor: `v${n}`, campaign: `click${n}` });
      const api = (address: string, body: object, proof?: string): Attempt => ({
        path: `/api/v2${address}`,
        headers: json,
        body: JSON.stringify(body),
        ...(proof !== undefined && { proof }),
      });
      const record = { order_id: 9000 + n, coupon_code: 'EARN0', date: '2026-11-01T10:00:00', status: 'completed', total: 10 };
      return [
        ...applications,
        {
          path: '/forgot-password',
          headers: form,
          body: formOf({ name: `lost${n}` }),
          proof: `select 1 from mails where recipient like '%lost${n}@shop%'`,
        },
        { path: '/sign-in', headers: form, body: formOf({ login: `lost${n}`, password: 'wrong' }) },
        {
          path: '/sign-in',
          headers: { ...form, 'Content-Encoding': 'gzip' },
          body: gzipSync(formOf({ login: `lost${n}`, password: 'wrong' })),
        },
        ...['/set-password', '/confirm-application', '/setup'].map((to) => ({ path: to, headers: form, body: formOf({ token: 'wrong' }) })),
        { path: '/track/click', headers: { Origin: shop }, body: click, proof: `select 1 from clicks where campaign = 'click${n}'` },
        { method: 'GET', path: `/r/EARN0?campaign=link${n}`, proof: `select 1 from clicks where campaign = 'link${n}'` },
        {
          path: `/connect/${connectionId}`,
          headers: { 'X-WC-Webhook-Signature': signature, 'X-WC-Webhook-Topic': 'order.created' },
          body: order,
          proof: `select 1 from store_deliveries where order_id = ${7000 + n}`,
        },
        api('/payouts', { coupon_id: coupons[n] }, `select 1 from payouts where coupon_id = ${coupons[n]} and status = 'paid'`),
        api(`/payouts/${pending[n]}/status`, { status: 'paid' }, `select 1 from payouts where id = ${pending[n]} and status = 'paid'`),
        api('/adjustments', { coupon_id: coupons[n], amount: 1, note: `gone${n}` }, `select 1 from adjustments where note = 'gone${n}'`),
        api('/store/orders', [record], `select 1 from orders where order_id = ${9000 + n}`),
        api('/payout-runs', {}),
        api('/payout-batches', { format: 'csv' }),
      ];
    }

    /** Sends a request and disconnects: in the middle of its body, or while it is handled, or after the response. */
    async function disconnectAfter({ method = 'POST', path: address, headers = {}, body = '' }: Attempt, id: string): Promise<void> {
      const all = {
        Host: 'x',
        'X-Request-Id': id,
        'X-Forwarded-For': `198.51.100.${random.below(250)}`,
        'Content-Length': String(Buffer.byteLength(body)),
        ...headers,
      };
      const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const bytes = Buffer.concat([Buffer.from(`${method} ${address} HTTP/1.1\r\n${head.join('')}\r\n`), Buffer.from(body)]);
      const socket = connect(Number(new URL((service as RunningService).url).port), '127.0.0.1').on('error', () => {});
      const isCut = random.below(5) === 0;
      socket.write(isCut ? bytes.subarray(0, bytes.length - 1 - random.below(Math.max(Buffer.byteLength(body) - 1, 1))) : bytes);
      await pause(random.below(random.below(2) === 0 ? 25 : 250));
      if (random.below(2) === 0) socket.destroy();
      else socket.resetAndDestroy();
    }

    it(`exits within its bound, and has lost no mail and nothing that it logged as done (seed ${seed})`, async () => {
      const variables = { LOG_LEVEL: 'info', GATEWAY_BOOK: gatewayLog, GATEWAY_MILLISECONDS: '300' };
      service = await startService(machine, variables);
      const { url, child, ended, log } = service;
      // One for each application.
      const forms = Array.from({ length: 5 * times }, async () => (await fetch(`${url}/apply`)).text());
      const shown = (await Promise.all(forms)).map((page) => /name="shown_at" value="([^"]+)"/.exec(page)?.[1] ?? '');
      const newest = Math.max(...shown.map((time) => Number.parseInt(time, 10)));
      // A form that is sent sooner is taken for that of a robot.
      await waitUntil(10_000, async () => Date.now() > newest + 3100);
      const sent = Array.from({ length: times }, (_, n) => attempts(n, shown)).flat();
      const shuffled = sent
        .map((attempt, at) => ({ attempt, id: `gone-${at}`, order: random.below(1e6) }))
        .toSorted((a, b) => a.order - b.order);
      while (shuffled.length > 0) {
        const group = shuffled.splice(0, 8);
        await Promise.all(group.map(({ attempt, id }) => disconnectAfter(attempt, id)));
      }
      const stoppedAt = performance.now();
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      const { code } = await ended;
      clearTimeout(killer);
      expect([code, performance.now() - stoppedAt < stopMs], log()).to.deep.equal([0, true]);

      const lines = log()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { request?: string; status?: number });
      const succeeded = lines.filter(({ request, status = 0 }) => request?.startsWith('gone-') && status >= 200 && status < 400);
      const done = succeeded.map(({ request }) => sent[Number(request?.slice(5))] as Attempt);
      const observer = await engine.observe(databaseUrl);
      const lost: string[] = [];
      for (const { path: address, proof } of done)
        if (proof && (await observer.query(proof)).length === 0) lost.push(`${address}: ${proof}`);
      expect(lost, 'logged as done, and lost').to.deep.equal([]);
      const paid = existsSync(gatewayLog)
        ? readFileSync(gatewayLog, 'utf8')
            .trim()
            .split('\n')
            .map((key) => key.replace('payout-', ''))
        : [];
      const open = await observer.query(`select id, status from payouts where id in (${paid.join()}) and status != 'paid'`);
      expect([paid.length > 0, open], 'paid by the gateway, and not recorded').to.deep.equal([true, []]);
      expect(done.length).to.be.above(times);
      const program = await TestService.start({ databaseUrl, clock: new TestClock(Date.now()) });
      expect(await program.differences()).to.deep.equal([]);
      await program.stop();
    });
  });
});
