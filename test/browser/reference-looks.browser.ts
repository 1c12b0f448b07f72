import { expect } from 'chai';
import { brightnessOf, measureContrasts } from './contrast.ts';
import { newPage, type ObservedPage, openReference, type Site, startSite } from './fixture.ts';

const sizes = { phone: { width: 390, height: 844 }, tablet: { width: 768, height: 1024 }, desktop: { width: 1440, height: 900 } };

/** Runs in the browser. Opened folds can contain further folds. */
const openEverything = `for (let round = 0; round < 3; round += 1) {
  for (const fold of document.querySelectorAll('details:not([open])')) fold.open = true;
  await new Promise((resolve) => setTimeout(resolve, 50));
}`;

const widths = (observed: ObservedPage): Promise<[number, number]> =>
  observed.page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]');

/** Runs in the browser: the controls without a label. */
const unlabelledControls = `[...document.querySelectorAll('input, select, textarea, button, [role=tablist], pre[tabindex]')]
  .filter((control) => !(control.labels?.length || control.getAttribute('aria-label') || control.textContent.trim()))
  .map((control) => control.outerHTML.slice(0, 120))`;

/** Runs in the browser: code with text beyond the edge or below the copy button. */
const cutCode = `[...document.querySelectorAll('.code > pre')]
  .filter((call) => {
    const text = document.createRange();
    text.selectNodeContents(call);
    const copy = call.nextElementSibling.getBoundingClientRect();
    const edge = call.getBoundingClientRect().right;
    return call.clientWidth > 0 && [...text.getClientRects()].some(({ right, top }) => right > (top < copy.bottom ? copy.left : edge));
  })
  .map((call) => call.textContent.slice(0, 80))`;

/** Runs in the browser: the elements of which a part cannot be seen. Text for screen readers alone is meant to be hidden. */
const clipped = `[...document.querySelectorAll('body *')]
  .filter((element) => element.checkVisibility() && !element.closest('.off-screen, nav, input, select, textarea, svg'))
  .filter((element) => getComputedStyle(element).overflow !== 'visible')
  .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1)
  .map((element) => element.outerHTML.slice(0, 120))`;

const repeatedIds = `(() => {
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  return ids.length - new Set(ids).size;
})()`;

const headingLevels = `[...document.querySelectorAll('main :is(h1, h2, h3, h4)')].map((heading) => Number(heading.tagName[1]))`;

describe('the reference page', () => {
  let site: Site;
  before(async () => {
    site = await startSite();
  });
  after(() => site.service.stop());

  describe('with everything opened', () => {
    let opened: ObservedPage;
    before(async () => {
      opened = await newPage();
      await openReference(opened.page, site.origin);
      await opened.page.evaluate(`(async () => { ${openEverything} })()`);
    });
    after(() => opened.close());

    for (const [name, viewport] of Object.entries(sizes))
      it(`fits the width of a ${name} without scrolling sideways, and clips nothing`, async () => {
        await opened.page.setViewportSize(viewport);
        const [content, window] = await widths(opened);
        expect(content).to.equal(window);
        expect(await opened.page.evaluate(clipped)).to.deep.equal([]);
        expect(opened.errors).to.deep.equal([]);
      });

    it('wraps the lines of all code, and keeps them clear of the copy button', async () => {
      for (const viewport of [sizes.desktop, sizes.phone]) {
        await opened.page.setViewportSize(viewport);
        expect(await opened.page.evaluate(cutCode)).to.deep.equal([]);
      }
    });

    it('labels every control, skips no heading level and repeats no id', async () => {
      expect(await opened.page.evaluate(unlabelledControls)).to.deep.equal([]);
      const levels = await opened.page.evaluate<number[]>(headingLevels);
      expect(levels.filter((level) => level === 1)).to.have.length(1);
      expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).to.deep.equal([]);
      expect(await opened.page.evaluate(repeatedIds)).to.equal(0);
    });
  });

  describe('when it opens', () => {
    let observed: ObservedPage;
    afterEach(() => observed.close());

    for (const colorScheme of ['light', 'dark'] as const)
      it(`is ${colorScheme} if the system is, with a contrast of at least 4.5 for every text`, async () => {
        observed = await newPage({ colorScheme });
        await openReference(observed.page, site.origin);
        const [background, text] = await Promise.all([
          brightnessOf(observed.page, 'html', 'background-color'),
          brightnessOf(observed.page, 'html', 'color'),
        ]);
        expect(background > text).to.equal(colorScheme === 'light');
        expect(Math.abs(background - text)).to.be.above(0.7);
        await observed.page.locator('[data-operation=post_keys] .try > summary').click();
        const all = await measureContrasts(observed.page);
        expect(all.length).to.be.above(40);
        expect(all.filter(({ ratio }) => ratio < 4.5)).to.deep.equal([]);
      });

    it('switches to dark colours with a button, and stays dark after a reload', async () => {
      observed = await newPage({ colorScheme: 'light' });
      const { page } = observed;
      await openReference(page, site.origin);
      await page.getByRole('button', { name: 'Switch to dark colours' }).click();
      expect(await brightnessOf(page, 'html', 'background-color')).to.be.below(0.2);
      await openReference(page, site.origin, '?again');
      expect(await brightnessOf(page, 'html', 'background-color')).to.be.below(0.2);
    });

    it('works with the keyboard alone: search, go to an operation, open the form, send', async () => {
      observed = await newPage();
      const { page } = observed;
      await openReference(page, site.origin);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
      await page.keyboard.press('/');
      await page.keyboard.type('read this document');
      expect(await page.locator('nav .results li').count()).to.equal(1);
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

    it('collapses objects and arrays of JSON, and copies the whole of it', async () => {
      observed = await newPage();
      const { page } = observed;
      await openReference(page, site.origin);
      const code = page.locator('[data-operation=get_coupons_id] pre.language-json');
      const toggle = code.getByRole('button', { name: 'user, 4 fields' });
      await code.getByText('hello@trailnotes.example').waitFor();
      await toggle.click();
      expect(await toggle.getAttribute('aria-expanded')).to.equal('false');
      expect(await code.getByText('hello@trailnotes.example').isVisible()).to.equal(false);
      expect(JSON.parse((await code.textContent()) ?? '')).to.have.nested.property('user.id', 42);
      await toggle.focus();
      await page.keyboard.press('Enter');
      expect(await code.getByText('hello@trailnotes.example').isVisible()).to.equal(true);
    });

    it('has its navigation in a drawer on a phone, hidden while it is closed', async () => {
      observed = await newPage({ viewport: sizes.phone });
      const { page } = observed;
      await openReference(page, site.origin);
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
