import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import type { Contract } from '../../server/contract/contract.ts';
import { Machine } from '../cli/machine.ts';
import { theContract } from '../support/contract.ts';
import { mainlyOn } from '../support/engines.ts';
import { bankDetails, payoutDetails } from '../support/program.ts';
import { masterKey } from '../support/service.ts';
import { type Receiver, receiver } from '../support/webhooks.ts';
import { type AttackedStore, openAttackedStore, password, storeSecret } from './attacked-store.ts';
import { type Canaries, found, type Heard, storedCanaries } from './canaries.ts';
import { allOperations, kindOf, requestFor, takesId } from './contract-requests.ts';
import { ask, jsonType, type PlainRequest } from './plain-http.ts';

const smtpPassword = 'canary-of-smtp-4711';
const databasePassword = 'canary-of-database-4711';
const destination = 'canary-iban-DE4711';
const missing = 987_654_321;

// What each of the others says is held fast in test/cli.
const commands = ['key list', 'webhook deliveries 1', 'doctor'];

mainlyOn('sqlite', (engine) => {
  describe('secret canaries', () => {
    let store: AttackedStore;
    let contract: Contract;
    let hook: Receiver;
    const canaries: Canaries = new Map();
    const heard: Heard[] = [];
    const callers = new Map<string, Record<string, string>>();

    const say = async (who: string, target: string, request: PlainRequest = {}): Promise<string> => {
      const headers = { ...callers.get(who), ...request.headers };
      const answer = await ask(store.service, target, { ...request, headers });
      heard.push({
        where: `${request.method ?? 'GET'} ${target} to ${who}: ${answer.status}`,
        text: JSON.stringify(answer.headers) + answer.body,
      });
      return answer.body;
    };

    before(async () => {
      contract = await theContract();
      hook = await receiver();
      const databaseUrl = (await engine.freshUrl()).replace(':password@', `:${databasePassword}@`);
      const env = { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey };
      store = await openAttackedStore(engine, { databaseUrl, env });
      const { service, users } = store;
      for (const [person, key] of [
        ['boss', 'boss'],
        ['victim', 'victim'],
        ['eve', 'eve'],
      ] as const) {
        const headers = await store.keyOf(key);
        callers.set(person, headers);
        canaries.set(`key of ${person}`, (headers['Authorization'] ?? '').slice('Bearer '.length));
      }
      callers.set('boss by password', await service.appPassword(users.boss));
      const basic = callers.get('boss by password')?.['Authorization'] ?? '';
      canaries.set('application password', Buffer.from(basic.slice(6), 'base64').toString().slice('boss:'.length));
      canaries.set('basic credentials', basic.slice(6));
      await service.user('anna', 'administrator', { password });
      const { svc_session: session = '', svc_csrf: csrf = '' } = await service.signIn('anna', password);
      callers.set('anna by session', { Cookie: `svc_session=${session}`, 'X-Svc-CSRF': csrf });
      callers.set('anonymous', {});
      for (const [name, secret] of Object.entries({
        session,
        csrf,
        password,
        'master key': masterKey,
        smtpPassword,
        destination,
        databasePassword,
        storeSecret,
      }))
        canaries.set(name, secret);
      await payoutDetails(service, {
        userId: users.victim.id,
        method: 'Bank',
        methodType: 'banktransfer',
        details: { ...bankDetails('canary-holder'), street: destination },
      });
      canaries.set('holder', 'canary-holder');
      const made = JSON.parse(
        (
          await ask(service, '/api/v2/webhooks', {
            method: 'POST',
            body: JSON.stringify({ url: hook.url, events: ['*'] }),
            headers: { ...callers.get('boss'), ...jsonType },
          })
        ).body,
      ) as { secret: string };
      canaries.set('webhook secret', made.secret);
    });
    after(async () => {
      await store.service.stop();
      await hook.close();
    });

    /** Every operation by every caller: validly, for what there is and is not, with broken bodies, and with secrets in the wrong places. */
    async function exercise(): Promise<void> {
      const token = encodeURIComponent(canaries.get('key of victim') ?? '');
      for (const who of callers.keys())
        for (const operationId of allOperations) {
          const ids = takesId(operationId)
            ? [...Object.values(store.records[kindOf(operationId) as 'coupons'] ?? {}).slice(0, 1), missing]
            : [0];
          const isFatal = operations[operationId].method === 'delete' || operationId === 'post_keys' || operationId === 'post_webhooks';
          for (const id of isFatal ? [missing] : ids) {
            const { target, ...request } = requestFor(contract, operationId, id);
            if (operationId !== 'post_keys' && operationId !== 'post_webhooks') await say(who, target, request);
            const broken = { ...request, ...(request.body !== undefined && { body: `{"description":"${token}","scopes":"${token}",` }) };
            await say(
              who,
              `${target}${target.includes('?') ? '&' : '?'}page=${token}&status=${token}&from=${token}&coupon_id=${token}`,
              broken,
            );
          }
          await say(who, requestFor(contract, operationId, token).target, { method: operations[operationId].method.toUpperCase() });
        }
    }

    const logged = (): Heard => ({ where: 'the log', text: store.service.log.join('') });
    /** The request contained it: a URL with a secret in it is not a leak of ours. */
    const answers = (): Heard[] => heard.map(({ where, text }) => ({ where: where.replaceAll(/svc_[0-9a-f]+/g, '…'), text }));

    it('are in no response to any caller, to valid or invalid requests', async () => {
      await exercise();
      expect(heard.length).to.be.greaterThan(500);
      for (const [name, secret] of await storedCanaries(engine, store.service.databaseUrl)) canaries.set(name, secret);
      expect(canaries.size).to.be.greaterThan(20);
      expect(found(canaries, answers())).to.deep.equal([]);
    });

    it('are in no log line, at level debug', () => {
      expect(store.service.log.length).to.be.greaterThan(500);
      expect(found(canaries, [logged()])).to.deep.equal([]);
    });

    it('are in no mail and in no webhook delivery', async () => {
      await store.service.work();
      const folder = path.join(store.service.dataDir, 'mail');
      const mails = readdirSync(folder).map((name) => ({ where: `mail ${name}`, text: readFileSync(path.join(folder, name), 'utf8') }));
      const decoded = mails.map(({ where, text }) => ({ where, text: Buffer.from(text.replaceAll(/=\r\n/g, '')).toString() }));
      const deliveries = hook.received.map(({ headers, body }, at) => ({ where: `delivery ${at}`, text: JSON.stringify(headers) + body }));
      expect(mails.length).to.be.greaterThan(0);
      expect(deliveries.length).to.be.greaterThan(2);
      expect(found(canaries, [...mails, ...decoded, ...deliveries, logged()])).to.deep.equal([]);
    });

    it('are returned where the contract says so, once, and never again', async () => {
      const boss = { ...callers.get('boss'), ...jsonType };
      const created: Heard[] = [];
      const connection = `/api/v2/store/connections/${store.records.store.connection}`;
      for (const [method, target, body, field] of [
        ['POST', '/api/v2/keys', '{}', 'token'],
        ['POST', '/api/v2/webhooks', JSON.stringify({ url: hook.url, events: ['*'] }), 'secret'],
        ['PUT', `${connection}/secret`, '{}', 'secret'],
      ] as const) {
        const answer = await ask(store.service, target, { method, body, headers: boss });
        canaries.set(`new ${field} of ${target}`, JSON.parse(answer.body)[field]);
        created.push({ where: target, text: answer.body });
      }
      expect(found(canaries, created)).to.deep.equal(
        created.map(({ where }, at) => `new ${at === 0 ? 'token' : 'secret'} of ${where} in ${where}`),
      );
      heard.length = 0;
      for (const operationId of allOperations.filter((id) => operations[id].method === 'get'))
        await say('boss', requestFor(contract, operationId, 1).target);
      expect(found(canaries, [...answers(), logged()])).to.deep.equal([]);
    });

    if (engine.name === 'sqlite')
      it('are in no output of the command line', async () => {
        const url = `smtp://shop:${smtpPassword}@127.0.0.1:9`;
        const machine = new Machine({ DATABASE_URL: store.service.databaseUrl, MASTER_KEY: masterKey, SMTP_URL: url, LOG_LEVEL: 'trace' });
        const outcomes = await machine.runSeries(commands.map((command) => ({ args: [...command.split(' '), '--json'] })));
        const said = outcomes.map(({ out, err }, index) => ({ where: commands[index] ?? '', text: out + err }));
        for (const { where, text } of said) expect(text.length, where).to.be.greaterThan(1);
        expect(found(canaries, said)).to.deep.equal([]);
      });

    it('are in no response and no log line while the database fails', async () => {
      const observer = await engine.observe(store.service.databaseUrl);
      heard.length = 0;
      for (const table of ['app_passwords', 'sessions', 'api_keys', 'payout_details', 'webhooks'])
        await observer.query(`alter table ${table} rename to gone_${table}`);
      const before = store.service.log.length;
      for (const who of callers.keys())
        for (const operationId of ['get_me', 'get_payouts', 'post_keys', 'post_webhooks', 'get_keys'] as const) {
          const { target, ...request } = requestFor(contract, operationId, 1);
          await say(who, target, request);
        }
      await store.service.signIn('anna', password);
      expect(store.service.log.slice(before).join('')).to.include('"level":50');
      expect(found(canaries, [...answers(), logged()])).to.deep.equal([]);
    });
  });
});
