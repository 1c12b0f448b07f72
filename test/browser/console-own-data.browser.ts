import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { TestClock } from '../support/service.ts';
import { type ConsoleSite, checkPage, openConsole, startConsoleSite } from './console-site.ts';
import type { ObservedPage } from './fixture.ts';

describe('"Download my data" in the console', () => {
  let site: ConsoleSite;
  let own: ObservedPage;
  before(async () => {
    site = await startConsoleSite();
    own = await openConsole(site, 'affiliate', { path: '/console/account' });
  });
  after(async () => {
    await own.close();
    await site.service.stop();
  });

  it('asks for the password ten minutes after the sign-in, and saves a file with the account, the orders and the payout destination of the reader', async () => {
    const { page, errors } = own;
    (site.service.clock as TestClock).advance(600);
    await page.getByRole('button', { name: 'Download my data' }).click();
    await page.getByRole('dialog').getByLabel('Password').fill('a long password of a person');
    // The refusal before is a message of the browser.
    errors.splice(0);
    await checkPage(own);
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Confirm' }).click();
    const download = await downloads;
    expect(download.suggestedFilename()).to.equal('my-data.json');
    await page.getByRole('button', { name: 'Download my data', disabled: false }).waitFor();
    const data = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(data.account[0].id).to.equal(site.affiliate.id);
    expect(data.orders).not.to.deep.equal([]);
    expect(data.payout_details.destination).to.have.property('email');
    await checkPage(own);
  });
});
