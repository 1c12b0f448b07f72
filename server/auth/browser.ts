import type { Browser } from '../../domain/users/sign-in.ts';
import { readCookie } from '../http/cookies.ts';
import type { RequestContext } from '../http/request-context.ts';
import { shortenAddress } from '../http/trusted-proxies.ts';
import { deviceCookie } from './credentials.ts';

/** The browser that sent the request, as its user recognises it. */
export const describeBrowser = (ctx: RequestContext): Browser => ({
  device: describeDevice(ctx.get('User-Agent')),
  address: shortenAddress(ctx.state.address),
  deviceCookie: readCookie(ctx, deviceCookie),
});

// The first that matches: most browsers also name those that they are compatible with.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** In words of ours alone: the header is chosen by its sender, and stands in mails. */
export function describeDevice(userAgent: string): string {
  const nameIn = (list: typeof browsers): string | undefined => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined && system === undefined) return 'Unknown device';
  return `${browser ?? 'A browser'} on ${system ?? 'an unknown system'}`;
}
