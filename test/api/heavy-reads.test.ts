import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('a heavy read', () => {
    const { service } = suiteService(engine);
    let headers: Record<string, string>;
    before(async () => {
      const boss = await service.user('boss', 'administrator');
      await coupon(service, 'TRAIL10');
      ({ headers } = await service.key(boss, ['read']));
    });

    const status = async (path: string): Promise<number> => (await fetch(`${service.origin}/api/v2${path}`, { headers })).status;

    /** Runs `work` while as many heavy reads as possible run and do not end. */
    const whileHeavyReadsRun = async (work: () => Promise<void>): Promise<void> => {
      let release = (): void => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      const running = Array.from({ length: 4 }, () => service.storage.readHeavy(() => released));
      await work().finally(() => release());
      await Promise.all(running);
    };

    it('delays no other read', async () => {
      await whileHeavyReadsRun(async () => {
        const paths = ['/me', '/coupons', '/payouts', '/reports/summary', '/events'];
        expect(await Promise.all(paths.map(status))).to.deep.equal(paths.map(() => 200));
      });
    });

    it('runs alone for each caller: eight more wait for it, and the rest get 503 at once', async () => {
      let answers: Promise<number>[] = [];
      await whileHeavyReadsRun(async () => {
        answers = Array.from({ length: 14 }, (_, index) => status(`/clicks/stats?campaign=c${index}`));
        const refused: number[] = [];
        for (const answer of answers) void answer.then((code) => code === 503 && refused.push(code));
        while (refused.length < 5) await status('/me');
        expect(refused.length).to.equal(5);
      });
      expect((await Promise.all(answers)).toSorted()).to.deep.equal([...Array(9).fill(200), ...Array(5).fill(503)]);
    });
  });
});
