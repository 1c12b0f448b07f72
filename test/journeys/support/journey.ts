import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { BrowserContextOptions } from 'playwright-core';
import { newPage, type ObservedPage } from '../../support/browser.ts';
import { Service } from './service.ts';

const windows = new Set<ObservedPage>();
let brokenPromise: string | null = null;

/** A browser of a person, in English. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<ObservedPage> {
  const window = await newPage({ locale: 'en-GB', ...options });
  windows.add(window);
  return window;
}

/** The browser also reports refusals, after which a page asks for a password or says what is wrong. */
export const forgetRefusals = ({ errors }: ObservedPage): void =>
  void errors.splice(0, errors.length, ...errors.filter((text) => !/status of 4\d\d/.test(text)));

/** Promises that are walked one after the other. */
export function journey(title: string, walk: () => void): void {
  describe(title, () => {
    before(() => {
      brokenPromise = null;
    });
    walk();
    it('sees no error and no violation of the content security policy in the console of a browser', async () => {
      for (const window of windows) forgetRefusals(window);
      expect([...windows].flatMap(({ errors }) => errors)).to.deep.equal([]);
    });
    after(async () => {
      await Promise.all([...windows].map((window) => window.close()));
      windows.clear();
      for (const service of Service.running) await service.stop();
    });
  });
}

/**
 * One promise. If it is broken, the error shows the pages and the end of the log, and the promises that follow are skipped. (Mocha's `bail`
 * would also end the journeys in other processes.)
 */
export function it(promise: string, keep: () => Promise<void>): void {
  globalThis.it(promise, async function () {
    if (brokenPromise !== null) this.skip();
    try {
      await keep();
    } catch (error) {
      brokenPromise = promise;
      throw addEvidence(error as Error, await collectEvidence(promise));
    }
  });
}

/** The reporter prints the message as part of the stack, where it stands there. */
function addEvidence(error: Error, evidence: string): Error {
  const { message, stack = '' } = error;
  const whole = message + evidence;
  return Object.defineProperties(error, { message: { value: whole }, stack: { value: stack.replace(message, () => whole) } });
}

/** The address and a screenshot of each page, and the end of the log of each service. */
async function collectEvidence(title: string): Promise<string> {
  const lines: string[] = [];
  const pages = [...windows].flatMap((window) => window.page.context().pages()).filter((page) => page.url() !== 'about:blank');
  for (const page of pages) {
    const file = path.join(tmpdir(), `${title.replaceAll(/\W+/g, '-').slice(0, 60)}-${lines.length + 1}.png`);
    await page.screenshot({ path: file, fullPage: true }).catch(() => {});
    lines.push(`page ${page.url()}, screenshot ${file}`);
  }
  for (const service of Service.running) lines.push(`the end of the log of ${service.url}:`, service.readLog(10));
  return `\n${lines.join('\n')}\n`;
}
