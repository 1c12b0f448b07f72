import { expect } from 'chai';
import { failuresOf } from '../../server/auth/sign-in-attempts.ts';
import { suiteFixture } from '../support/fixture.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { withPasswordCost } from '../support/password-cost.ts';
import { suiteService } from '../support/service.ts';
import { onOneEngine } from './one-engine.ts';

// Not that of another suite: its hash is shared, and another cost makes another hash.
const password = 'a password that takes long to hash';

onOneEngine((engine) => {
  describe('attacks on the queue of password hashing', () => {
    withPasswordCost(1 / 4);
    const { service } = suiteService(engine, { hasLimits: true, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    suiteFixture(() => Promise.all(['ada', 'eve'].map((login) => service.user(login, 'affiliate', { password }))));

    /** A browser with the form of the sign-in open. */
    async function browserAt(address: string): Promise<PageVisitor> {
      const browser = new PageVisitor(service.origin, { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
      await browser.open('/sign-in?to=/console');
      return browser;
    }

    const signIn = async (browser: PageVisitor, login: string, given = password): Promise<number> =>
      (await browser.submit({ login, password: given })).status;

    /** A browser in which the person has signed in before. */
    async function deviceOf(login: string, address: string): Promise<PageVisitor> {
      const browser = await browserAt(address);
      expect(await signIn(browser, login)).to.equal(303);
      delete browser.cookies['__Host-svc_session'];
      await browser.open('/sign-in?to=/console');
      return browser;
    }

    /** Sends a wrong password from each address at once, of as many unknown people by default. Resolves when the first is refused for want of places. */
    async function flood(addresses: readonly string[], { login, device }: { login?: string; device?: string } = {}) {
      const browsers = await Promise.all(addresses.map(browserAt));
      if (device !== undefined) for (const browser of browsers) browser.cookies['__Host-svc_device'] = device;
      let isFull = (): void => {};
      const full = new Promise<void>((resolve) => {
        isFull = resolve;
      });
      const statuses = browsers.map(async (browser, index) => {
        const status = await signIn(browser, login ?? `nobody-${index}`, 'a wrong password');
        if (status === 503) isFull();
        return status;
      });
      await Promise.race([full, Promise.all(statuses)]);
      return { refused: async () => (await Promise.all(statuses)).filter((status) => status === 503).length };
    }

    it('sign-ins from 20 addresses keep no browser out that has a device cookie of the account that it names', async () => {
      const home = await deviceOf('ada', '203.0.113.1');
      const { refused } = await flood(Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`));
      expect(await signIn(home, 'ada')).to.equal(303);
      expect(await refused()).to.be.above(0);
    });

    it('four addresses, or all of an IPv6 network, keep no stranger out', async () => {
      const stranger = await browserAt('203.0.113.3');
      const ofFour = await flood(Array.from({ length: 20 }, (_, index) => `192.0.2.${index % 4}`));
      expect(await signIn(stranger, 'ada')).to.equal(303);
      expect(await ofFour.refused()).to.be.above(0);
      const another = await browserAt('2001:db8:9::1');
      const ofNetwork = await flood(Array.from({ length: 20 }, (_, index) => `2001:db8:1:${index}::1`));
      expect(await signIn(another, 'ada')).to.equal(303);
      expect(await ofNetwork.refused()).to.be.above(0);
    });

    it('an attacker with an account and its device cookie keeps neither devices of others nor strangers out', async () => {
      const stolen = (await deviceOf('eve', '203.0.113.4')).cookies['__Host-svc_device'] ?? '';
      const [home, stranger] = [await deviceOf('ada', '203.0.113.5'), await browserAt('203.0.113.6')];
      const addresses = Array.from({ length: 20 }, (_, index) => `198.51.102.${index}`);
      const { refused } = await flood(addresses, { login: 'eve', device: stolen });
      expect([await signIn(home, 'ada'), await signIn(stranger, 'ada')]).to.deep.equal([303, 303]);
      expect(await refused()).to.be.above(0);
    });

    it('an attempt that is refused for want of places counts as a failure of no account and no address', async () => {
      const failures = async (name: string) => (await service.storage.counters.peek(name, 15 * 60)).count;
      const { refused } = await flood(
        Array.from({ length: 20 }, (_, index) => `198.51.101.${index}`),
        { login: 'victim' },
      );
      const counted = 20 - (await refused());
      expect(counted).to.be.below(20);
      expect(await failures(failuresOf('victim'))).to.equal(counted);
      const byAddress = await Promise.all(Array.from({ length: 20 }, (_, index) => failures(`auth-failures:198.51.101.${index}`)));
      expect(byAddress.reduce((sum, count) => sum + count)).to.equal(counted);
    });
  });
});
