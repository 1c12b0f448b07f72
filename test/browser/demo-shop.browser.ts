import { expect } from 'chai';
import { Machine } from '../cli/machine.ts';
import { waitForOutput } from '../cli/running-service.ts';
import { newPage } from './fixture.ts';

describe('the shop of the demo in a browser', () => {
  it('sells with a coupon, delivers and refunds, and renews a subscription, by its buttons', async () => {
    const demo = new Machine().start(['demo', '--orders', '300'], { PORT: '0' });
    const { said, ended } = await waitForOutput(demo, (text) => text.includes('--fresh starts over.'));
    const observed = await newPage();
    const { page } = observed;
    const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
    try {
      await page.goto(/^Shop +(\S+):/m.exec(said())?.[1] ?? '');
      await page.getByLabel('Coupon').fill('TRAIL10');
      await press('Buy');
      await page.getByText('€22.41, pending, credited by the coupon').waitFor();
      await press('Deliver it');
      await page.getByText('Tent for two, €224.10, completed').waitFor();
      await press('Refund it');
      await page.getByText('It was refunded, so it earns no commission.').waitFor();
      await page.getByRole('link', { name: 'A subscription, month by month' }).click();
      await press('Subscribe');
      await page.getByText('This is payment 1 of a subscription').waitFor();
      await press('Next month');
      await page.getByText('This is payment 2 of a subscription').waitFor();
      expect(observed.errors).to.deep.equal([]);
    } finally {
      await observed.close();
      demo.kill('SIGINT');
      await ended;
    }
  });
});
