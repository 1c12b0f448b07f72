/**
 * PROVE_BOUNDS=all: headers, paths and bodies too, which takes minutes. The CPU time of a request must not grow faster than its size, up to the
 * size that is allowed, at any address.
 */
import { Router } from '@koa/router';
import { expect } from 'chai';
import type { Contract } from '../../server/contract/contract.ts';
import { theContract } from '../support/contract.ts';
import { inProof } from '../support/in-proof.ts';
import { type AttackedStore, openAttackedStore } from './attacked-store.ts';
import { allOperations, exampleBody, requestFor } from './contract-requests.ts';
import { onOneEngine } from './one-engine.ts';
import { ask, jsonType, type PlainRequest } from './plain-http.ts';

interface Address extends PlainRequest {
  target: string;
  body?: string;
}

const { itInProof } = inProof('PROVE_BOUNDS');

/** A request to the address whose text is so long. */
type Attack = (address: Address, size: number) => Address;

/** Up to `harmlessMs`, a request is not measured again: it delays no other. */
const head = { bytes: 15_000, harmlessMs: 60 };
const body = { bytes: 1_000_000, harmlessMs: 300 };

const units = ['a&', 'a=1&', 'a[b]=1&', '%41', '/', '+', ',', 'a,', '-', '.@', ';', 'a=b; ', ' a', '"', '1,', 'a/b,'];
const fill = (unit: string, size: number): string => unit.repeat(Math.floor(size / unit.length));
const join = (target: string, query: string): string => `${target}${target.includes('?') ? '&' : '?'}${query}`;

const inUrl = units.filter((unit) => !/[ "]/.test(unit));
const queries: Attack[] = ['', 'token=', 'to=/console', 'search=', 'from=', 'campaign='].flatMap((name) =>
  inUrl.map(
    (unit): Attack =>
      (address, size) => ({ ...address, target: join(address.target, name + fill(unit, size)) }),
  ),
);
const paths: Attack[] = ['', '/'].flatMap((end) =>
  inUrl.map(
    (unit): Attack =>
      (address, size) => ({ ...address, target: address.target.replace(/\?.*|$/, end + fill(unit, size)) }),
  ),
);
const headerNames =
  'Accept Accept-Encoding Accept-Language Authorization Content-Type Cookie Forwarded Host Idempotency-Key If-Modified-Since If-None-Match Last-Event-ID Origin Purpose Range Referer Sec-Fetch-Site User-Agent X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Request-Id X-Svc-Api-Key X-Svc-Csrf';
const headers: Attack[] = headerNames.split(' ').flatMap((name) =>
  units.map(
    (unit): Attack =>
      (address, size) => ({ ...address, headers: { ...address.headers, [name]: `x${fill(unit, size)}` } }),
  ),
);
const formType = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: 'svc_form=token' };
const fields = 'token login password name display_name email website promote coupon_code shown_at to ticket code setup store_url'.split(
  ' ',
);
const forms: Attack[] = ['', ...fields.map((name) => `${name}=x`)].flatMap((start) =>
  inUrl.map(
    (unit): Attack =>
      (address, size) => ({
        ...address,
        headers: { ...address.headers, ...formType },
        body: `form_token=token&${start}${fill(unit, size)}`,
      }),
  ),
);
const texts = ['a', ' ', '-', '/', '.', '@', 'a@', '.@', 'a.', ':', '\\', '<', '\n', '\u{10000}', '1'];
const documents = [
  ...texts.map((text) => (size: number) => JSON.stringify(fill(text, size))),
  (size: number) => `[${fill('1,', size)}1]`,
  (size: number) => `{${Array.from({ length: size / 12 }, (_, at) => `"k${at}":1`).join()}}`,
  (size: number) => '['.repeat(size),
];
const bodies: Attack[] = [
  ...documents.map(
    (documentOf): Attack =>
      (address, size) => ({ ...address, headers: { ...address.headers, ...jsonType }, body: documentOf(size) }),
  ),
  // In place of every text of a valid body.
  ...texts.map((text): Attack => {
    const replace = (_key: string, value: unknown): unknown => (typeof value === 'string' ? text : value);
    return (address, size) => {
      const parsed: unknown = JSON.parse(address.body ?? 'null');
      const count = JSON.stringify(parsed).split('"').length / 2;
      const body = JSON.stringify(parsed, (key, value) => (replace(key, value) === value ? value : fill(text, size / count)));
      return { ...address, headers: { ...address.headers, ...jsonType }, body };
    };
  }),
];

const takesBody = ({ method }: Address): boolean => method !== 'GET' && method !== 'HEAD';

onOneEngine((engine) => {
  describe('API4:2023 Unrestricted Resource Consumption: the cost of large requests', () => {
    let store: AttackedStore;
    let contract: Contract;
    const addresses: Address[] = [];
    before(async () => {
      contract = await theContract();
      // The routers of the pages, as the service makes them.
      const { routes } = Router.prototype;
      const found = new Map<string, Address>();
      Router.prototype.routes = function collect(this: Router) {
        for (const { path, methods } of this.stack)
          if (typeof path === 'string')
            for (const method of methods.filter((name) => name !== 'HEAD'))
              found.set(`${method} ${path}`, { target: path.replace(/[:*]\w+/g, '1'), method });
        return routes.call(this);
      };
      store = await openAttackedStore(engine, { env: { TRUSTED_PROXIES: '127.0.0.1' } });
      Router.prototype.routes = routes;
      await store.service.settings.set('registration.open', true);
      await store.service.settings.set('service.url', store.service.origin);
      addresses.push(
        ...found.values(),
        { target: '/r/victim10', method: 'GET' },
        { target: '/mcp', method: 'POST' },
        { target: '/nowhere', method: 'GET' },
      );
    });
    after(() => store.service.stop());

    const isStream = ({ target }: Address): boolean => target.includes('/stream');
    const operations = (): Address[] =>
      allOperations.map((operationId) => {
        const request = requestFor(contract, operationId, 1);
        const example = exampleBody(contract, operationId) ?? {};
        return { ...request, headers: { ...store.admin, ...request.headers }, body: JSON.stringify(example) } as Address;
      });
    const everywhere = (): Address[] => [...addresses, ...operations()].filter((address) => !isStream(address));

    async function measure({ target, body: text, ...request }: Address): Promise<number> {
      const before = process.cpuUsage();
      const sent = takesBody({ target, ...request }) && text !== undefined ? { body: text } : {};
      // One that is too large may be refused before it is read.
      await ask(store.service, target, { ...request, ...sent }).catch(() => {});
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }

    /** The least of several, because other work of this process counts too. */
    async function least(request: Address, harmlessMs: number): Promise<number> {
      let cost = Number.POSITIVE_INFINITY;
      for (let time = 0; time < 4 && cost > harmlessMs; time += 1) cost = Math.min(cost, await measure(request));
      return cost;
    }

    async function expectLinear(
      targets: readonly Address[],
      attacks: readonly Attack[],
      { bytes, harmlessMs }: typeof head,
    ): Promise<void> {
      for (const address of targets)
        for (const attack of attacks) {
          const request = attack(address, bytes);
          const full = await least(request, harmlessMs);
          const half = full > harmlessMs ? await least(attack(address, bytes / 2), 0) : full;
          const isLinear = full < Math.max(harmlessMs, 3 * half);
          const what = `${address.method} ${address.target} ${JSON.stringify(request).slice(0, 200)}`;
          expect(isLinear, `${half.toFixed()} ms, of twice the size ${full.toFixed()} ms: ${what}`).to.equal(true);
        }
    }

    it('knows the addresses of the pages', () => {
      expect(addresses.map(({ target }) => target)).to.include.members([
        '/sign-in',
        '/apply',
        '/set-password',
        '/console',
        '/setup',
        '/track/click',
      ]);
    });

    it('grows with the size of the query at every page', () =>
      expectLinear(
        addresses.filter(({ method }) => method === 'GET'),
        queries.slice(0, 1),
        head,
      ));

    itInProof(
      'grows with the size of the query, the path, each header and each form at every address',
      async function test(this: Mocha.Context) {
        this.timeout(60 * 60_000);
        await expectLinear(everywhere(), [...queries, ...paths], head);
        await expectLinear(everywhere(), headers, head);
        await expectLinear(addresses.filter(takesBody), forms, head);
      },
    );

    itInProof('grows with the size of the body at every address', async function test(this: Mocha.Context) {
      this.timeout(60 * 60_000);
      await expectLinear(everywhere().filter(takesBody), bodies, body);
      await expectLinear(operations().filter(takesBody), forms.slice(0, inUrl.length), body);
    });
  });
});
