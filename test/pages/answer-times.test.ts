/** PROVE_TIMES=all: 200 tries of each. Whether there is an account must not show in the time of an answer. Needs an idle machine. */
import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { inProof } from '../support/in-proof.ts';
import { PageVisitor } from '../support/page-visitor.ts';
import { startService, TestClock } from '../support/service.ts';

const tries = 200;
const maxDifferenceMs = 5;

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const application = { display_name: 'Ann', website: '', promote: '', coupon_code: 'ANN10' };

/** The forms by address, with the fields that name an account. */
const forms: Record<string, (name: string) => Record<string, string>> = {
  '/apply': (name) => ({ ...application, email: `${name}@shop.example` }),
  '/forgot-password': (name) => ({ name: `${name}@shop.example` }),
  '/sign-in': (name) => ({ login: name, password: 'a wrong password' }),
};

const { describeInProof } = inProof('PROVE_TIMES');

describeInProof('the median time of an answer', () => {
  onAnyEngine((engine) => {
    const clock = suiteFixture(async () => new TestClock());
    const service = suiteFixture(() => startService(engine, { clock }));
    before(async () => {
      await service.user('known', 'affiliate', { password: 'correct horse battery' });
      await service.settings.set('registration.open', true);
      await service.settings.set('service.url', 'https://partners.example');
      await service.settings.set('lockout.max_failures', 0);
    });

    for (const [address, fieldsOf] of Object.entries(forms))
      it(`of ${address} differs by less than ${maxDifferenceMs} ms between a known and an unknown account`, async function () {
        this.timeout(600_000);
        const times: Record<string, number[]> = { known: [], absent: [] };
        for (let at = 0; at < tries * 2; at += 1) {
          const name = at % 2 === 0 ? 'known' : 'absent';
          const visitor = new PageVisitor(service.origin);
          await visitor.open(address);
          clock.advance(3700);
          const started = performance.now();
          await visitor.submit(fieldsOf(name));
          times[name]?.push(performance.now() - started);
          await service.flush();
        }
        const [known, absent] = [median(times['known'] ?? []), median(times['absent'] ?? [])];
        console.log(`        known ${known.toFixed(2)} ms, unknown ${absent.toFixed(2)} ms`);
        expect(Math.abs(known - absent)).to.be.below(maxDifferenceMs);
      });
  });
});
