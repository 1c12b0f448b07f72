import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { expectCommandError } from '../cli/machine.ts';
import { waitUntil } from '../cli/running-service.ts';
import { disconnectDuring } from '../support/aborted-body.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon, newOrderId, orders } from '../support/program.ts';
import type { TestClock } from '../support/service.ts';
import { login, type MarkedProgram, openMarkedProgram, password, personal, staying } from './marked-person.ts';

type Rows = Record<string, unknown>[];

onAnyEngine((engine) => {
  describe('the export of a person', function () {
    this.timeout(120_000);
    let program: MarkedProgram;

    before(async () => {
      program = await openMarkedProgram(engine);
    });

    const download = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${program.service.origin}/console/own-data.json`, { headers });

    it('affiliate user export writes everything about the person to a private file, without secrets, and overwrites nothing', async () => {
      const file = path.join(program.machine.folder, 'person.json');
      const result = await program.machine.json('user', 'export', login, '--out', file);
      expect(result).to.deep.equal({ id: program.person.id, login, file });
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      const text = readFileSync(file, 'utf8');
      const data = JSON.parse(text) as Record<string, Rows> & { payout_details: Record<string, unknown> };
      expect(data.payout_details).to.deep.include({ method: `${personal} label`, method_type: 'banktransfer' });
      expect(data.payout_details['destination']).to.deep.include({ holder: `${personal} holder`, iban: 'DE89370400440532013000' });
      const [account] = data['account'] as Rows;
      expect(account).to.deep.include({ login, groups: [`${personal} group`], role: 'affiliate' });
      expect(account?.['profile']).to.include({ phone: `${personal} phone` });
      expect(account?.['custom_fields']).to.have.property(`${personal} field`);
      expect(data['orders']).to.have.length(1);
      expect(data['orders']?.[0]).to.deep.include({
        order_id: program.orderId,
        total: 120,
        commission: 12,
        campaign: `${staying}-campaign`,
      });
      expect(data['movements']?.length).to.be.above(4);
      expect(data['payouts']?.[0]).to.deep.include({ amount: 12, status: 'paid' });
      expect(data['adjustments']?.map(({ note }) => note)).to.deep.equal([`${personal} note 5`, `${personal} note -5`]);
      const counts = Object.fromEntries(Object.entries(data).map(([name, rows]) => [name, Array.isArray(rows) ? rows.length : 0]));
      expect(counts).to.deep.include({
        coupons: 1,
        invoices: 1,
        applications: 3,
        clicks: 1,
        keys: 2,
        application_passwords: 1,
        sessions: 1,
      });
      expect(data['mails']?.length).to.be.above(2);
      expect(text).not.to.match(/_hash|csrf|encrypted|"hash"/);
      expectCommandError(
        await program.machine.run(['user', 'export', login, '--out', file]),
        /exists, and personal data are not overwritten/,
      );
    });

    it('GET /console/own-data.json needs a session and a confirmed password, and has the data of the caller alone', async () => {
      expect((await download({})).status).to.equal(401);
      expect((await download((await program.service.key(program.person, ['read'])).headers)).status).to.equal(403);
      const session = await program.service.staleSession(login, password);
      const refused = await download(session);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([403, 'svc_api_confirm_password']);
      const confirmed = await fetch(`${program.service.origin}/console/confirm`, {
        method: 'POST',
        headers: { ...session, 'Content-Type': 'application/json' },
        body: JSON.stringify({ password }),
      });
      expect(confirmed.status).to.equal(200);
      const answer = await download(session);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(answer.headers.get('content-disposition')).to.equal('attachment; filename="my-data.json"');
      const data = (await answer.json()) as Record<string, Rows>;
      expect(data['account']?.map(({ id }) => id)).to.deep.equal([program.person.id]);
      expect(JSON.stringify(data)).not.to.include('zqother');
    });

    it('GET /console/own-data.json can be repeated after a client that disconnected before, during or behind another response', async () => {
      const { service } = program;
      const user = await service.user('busy', 'affiliate', { password });
      const couponId = await coupon(service, 'BUSY', { userId: user.id });
      const at = new Date(service.clock.now()).toISOString();
      // More than a response buffers.
      await orders(
        service,
        Array.from({ length: 1500 }, () => ({ id: newOrderId(), coupon: couponId, at, total: 1 })),
      );
      const session = await service.session('busy', password);
      const request = { method: 'GET', path: '/console/own-data.json', headers: session };
      const canDownload = () =>
        waitUntil(3000, async () => {
          const response = await download(session);
          await response.text();
          return response.status === 200;
        });
      await disconnectDuring(service, request);
      await canDownload();
      await (await download(session)).body?.cancel();
      await canDownload();
      const lines = Object.entries({ Host: 'x', ...session }).map(([name, value]) => `${name}: ${value}\r\n`);
      const pipelined = `GET /console/own-data.json HTTP/1.1\r\n${lines.join('')}\r\n`;
      await disconnectDuring(service, { ...request, headers: { ...session, 'Content-Length': '0' }, body: pipelined });
      await canDownload();
    });

    it('does not have the orders and movements of a former owner of a coupon', async () => {
      const { service, machine } = program;
      const former = await service.user('former', 'affiliate');
      const next = await service.user('next', 'affiliate');
      const couponId = await coupon(service, 'HANDED', { userId: former.id });
      const order = { id: newOrderId(), coupon: couponId, at: new Date(service.clock.now()).toISOString(), total: 100 };
      await orders(service, [order]);
      await orders(service, [{ ...order, status: 'refunded', refunded: 100 }]);
      const line = JSON.stringify({ kind: 'coupon', id: couponId, code: 'HANDED', user: next.login });
      expect((await machine.run(['import', '-'], { input: `${line}\n` })).code).to.equal(0);
      // The command has the clock of the machine.
      (service.clock as TestClock).advance(600);
      await orders(service, [{ ...order, id: newOrderId(), total: 70 }]);
      const file = path.join(machine.folder, 'next.json');
      await machine.text('user', 'export', 'next', '--out', file);
      const data = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Rows>;
      expect(data['orders']?.map(({ total }) => total)).to.deep.equal([70]);
      expect(data['movements']?.map(({ amount }) => amount)).to.deep.equal([-7, 7]);
    });
  });
});
