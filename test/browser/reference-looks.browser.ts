import { expect } from 'chai';
import { brightnessOf, contrasts } from './colours.ts';
import { openStore, type Store } from './store.ts';
import { openReference, type WatchedPage, watchedPage } from './watched-page.ts';

const sizes = { phone: { width: 390, height: 844 }, tablet: { width: 768, height: 1024 }, desktop: { width: 1440, height: 900 } };

/** Runs in the browser: every fold open, every field shown. */
const openEverything = `for (let round = 0; round < 3; round += 1) {
  for (const fold of document.querySelectorAll('details:not([open])')) fold.open = true;
  await new Promise((resolve) => setTimeout(resolve, 50));
}`;

const widths = (watched: WatchedPage): Promise<[number, number]> =>
  watched.page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]');

/** Runs in the browser: everything to be filled in that has no name. */
const namelessControls = `[...document.querySelectorAll('input, select, textarea, button, [role=tablist], pre[tabindex]')]
  .filter((control) => !(control.labels?.length || control.getAttribute('aria-label') || control.textContent.trim()))
  .map((control) => control.outerHTML.slice(0, 120))`;

/** Runs in the browser: the calls of which a part is beyond the edge, or below the button. */
const cutCalls = `[...document.querySelectorAll('pre:is(.language-shell, .language-javascript)')]
  .filter((call) => {
    const text = document.createRange();
    text.selectNodeContents(call);
    const edge = call.nextElementSibling.getBoundingClientRect().left;
    return call.clientWidth > 0 && [...text.getClientRects()].some(({ right }) => right > edge);
  })
  .map((call) => call.textContent.slice(0, 80))`;

const repeatedIds = `(() => {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  return ids.length - new Set(ids).size;
})()`;

const headingLevels = `[...document.querySelectorAll('main :is(h1, h2, h3, h4)')].map((heading) => Number(heading.tagName[1]))`;

describe('the reference page, looked at', () => {
  let store: Store;
  before(async () => {
    store = await openStore();
  });
  after(() => store.service.stop());

  describe('with everything opened', () => {
    let opened: WatchedPage;
    before(async () => {
      opened = await watchedPage();
      await openReference(opened.page, store.origin);
      await opened.page.evaluate(`(async () => { ${openEverything} })()`);
    });
    after(() => opened.close());

    for (const [name, viewport] of Object.entries(sizes))
      it(`fits the width of a ${name}`, async () => {
        await opened.page.setViewportSize(viewport);
        const [content, window] = await widths(opened);
        expect(content).to.equal(window);
        expect(opened.complaints).to.deep.equal([]);
      });

    it('shows whole lines of every call on a phone, beside the button that copies them', async () => {
      await opened.page.setViewportSize(sizes.phone);
      const cut = await opened.page.evaluate<string[]>(cutCalls);
      expect(cut).to.deep.equal([]);
    });

    it('names every control, and its headings leave no level out', async () => {
      expect(await opened.page.evaluate(namelessControls)).to.deep.equal([]);
      const levels = await opened.page.evaluate<number[]>(headingLevels);
      expect(levels.filter((level) => level === 1)).to.have.length(1);
      expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).to.deep.equal([]);
      expect(await opened.page.evaluate(repeatedIds)).to.equal(0);
    });
  });

  describe('as it opens', () => {
    let watched: WatchedPage;
    afterEach(() => watched.close());

    for (const colorScheme of ['light', 'dark'] as const)
      it(`is ${colorScheme} where the reader's system is, and every text stands out`, async () => {
        watched = await watchedPage({ colorScheme });
        await openReference(watched.page, store.origin);
        const [ground, ink] = await Promise.all([
          brightnessOf(watched.page, 'html', 'background-color'),
          brightnessOf(watched.page, 'html', 'color'),
        ]);
        expect(ground > ink).to.equal(colorScheme === 'light');
        expect(Math.abs(ground - ink)).to.be.above(0.7);
        await watched.page.locator('[data-operation=post_keys] .try > summary').click();
        const all = await contrasts(watched.page);
        expect(all.length).to.be.above(40);
        expect(all.filter(({ ratio }) => ratio < 4.5)).to.deep.equal([]);
      });

    it('changes its colours by a button, and stays so', async () => {
      watched = await watchedPage({ colorScheme: 'light' });
      const { page } = watched;
      await openReference(page, store.origin);
      await page.getByRole('button', { name: 'Switch to dark colours' }).click();
      expect(await brightnessOf(page, 'html', 'background-color')).to.be.below(0.2);
      await openReference(page, store.origin, '?again');
      expect(await brightnessOf(page, 'html', 'background-color')).to.be.below(0.2);
    });

    it('can be used with the keyboard alone: filter, go there, open, send', async () => {
      watched = await watchedPage();
      const { page } = watched;
      await openReference(page, store.origin);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
      await page.keyboard.press('/');
      await page.keyboard.type('read this document');
      expect(await page.locator('nav li:not([hidden])').count()).to.equal(1);
      await page.keyboard.press('Enter');
      await page.waitForURL(/#get_openapi$/);
      await page.waitForFunction(`document.activeElement.id === 'get_openapi'`);
      await page.locator('[data-operation=get_openapi] .try > summary').focus();
      await page.keyboard.press('Enter');
      await page.locator('[data-operation=get_openapi] .try-form').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('[data-operation=get_openapi] .reply .status', { hasText: '200 OK' }).waitFor();
    });

    it('has its navigation in a drawer on a phone, out of reach while it is closed', async () => {
      watched = await watchedPage({ viewport: sizes.phone });
      const { page } = watched;
      await openReference(page, store.origin);
      expect(await page.locator('nav').isVisible()).to.equal(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.locator('nav').getByRole('link', { name: 'Request a payout' }).click();
      await page.waitForURL(/#post_payouts$/);
      await page.locator('nav').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.keyboard.press('Escape');
      await page.locator('nav').waitFor({ state: 'hidden' });
    });
  });
});
