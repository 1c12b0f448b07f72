import { createHash } from 'node:crypto';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { oncePerSettings } from '../../site/program.ts';
import { textOn } from '../../site/settings/brand-color.ts';
import type { RequestContext } from '../http/request-context.ts';

export const logoPath = '/logo.png';

/** The colours of the reference page. */
const style = `
:root {
  color-scheme: light dark;
  --line: light-dark(#8a93a3, #6b7687);
  --accent: light-dark(#2f52c4, #8fb0ff);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  background: light-dark(#ffffff, #0f131a);
  color: light-dark(#1b2333, #e3e8f0);
}
* { box-sizing: border-box; }
body { max-width: 34rem; margin: clamp(2rem, 8vh, 6rem) auto 4rem; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.3; color: light-dark(#0d1424, #f5f7fb); }
a { color: var(--accent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.5rem 1.5rem; margin: 1.5rem 0; }
dd { margin: 0; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.15rem; }
form { max-width: 22rem; }
fieldset { min-width: 0; margin: 2rem 0 0; padding: 0; border: 0; }
legend { padding: 0; font-size: 1.15rem; font-weight: 600; }
label { display: block; margin: 1rem 0 0.25rem; }
input, select, textarea { width: 100%; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
button, .button { padding: 0.5rem 1.25rem; font: inherit; font-weight: 600; border: 0; border-radius: 6px; }
button, .button { background: var(--brand, var(--accent)); color: var(--on-brand, light-dark(#ffffff, #0c1326)); cursor: pointer; }
button { margin-top: 1.5rem; }
.button { display: inline-block; text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.steps { display: flex; gap: 1rem; margin: -1rem 0 2rem; }
footer { margin-top: 2.5rem; }
.store { margin: 0 0 0.25rem; font-weight: 600; }
.logo { display: block; max-width: 12rem; max-height: 4rem; margin-bottom: 0.5rem; padding: 0.25rem; background: #ffffff; border-radius: 6px; }
.hint { margin: 0 0 0.25rem; font-size: 0.875rem; color: light-dark(#566074, #a0abbd); }
.qr svg { display: block; width: 12rem; }
.trap { position: absolute; left: -9999px; }
.choice { display: flex; gap: 0.5rem; margin-top: 1rem; }
.choice input { width: auto; }
.choice label { margin: 0; }
.problem p { margin: 0.25rem 0; }
.problem { border-left: 4px solid light-dark(#b02335, #ff9aa5); padding-left: 0.75rem; }
`;

interface Look {
  style: string;
  /** Pages load nothing but the logo and a script of the service, if any. One style, allowed by its hash. */
  policy: string;
  /** HTML. */
  logo: string;
}

const buildLook = oncePerSettings(({ brand }): Look => {
  const branded = brand.color === '' ? style : `${style}:root { --brand: ${brand.color}; --on-brand: ${textOn(brand.color)}; }\n`;
  const hash = createHash('sha256').update(branded).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  if (brand.logo === '') return { style: branded, policy, logo: '' };
  return { style: branded, policy: `${policy}; img-src 'self'`, logo: `<img class="logo" src="${logoPath}" alt="">` };
});

/** Sends a page that works without a script. `content` is HTML; `script` is the path of a script of the service. */
export function sendSmallPage(ctx: RequestContext, title: string, content: string, script?: string): void {
  const look = buildLook(ctx.state.settings);
  ctx.set('Content-Security-Policy', script === undefined ? look.policy : `${look.policy}; script-src 'self'; connect-src 'self'`);
  ctx.set('Cache-Control', 'no-store');
  // Links in mails have a token, which no further request may name. On other pages, no-referrer would make the Origin of a form `null`.
  ctx.set('Referrer-Policy', new URLSearchParams(ctx.querystring).has('token') ? 'no-referrer' : 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
  const store = escapeHtml(ctx.state.settings.store.name);
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · ${store}</title><style>${look.style}</style>${script === undefined ? '' : `<script src="${escapeHtml(script)}" async></script>`}</head>
<body><main><p class="store">${look.logo}${store}</p><h1>${escapeHtml(title)}</h1>
${content}
</main></body>
</html>
`;
}

/** As a page rather than JSON: people send forms. */
export function sendTooMany(ctx: RequestContext, secondsLeft: number): void {
  ctx.status = 429;
  ctx.set('Retry-After', String(secondsLeft));
  const minutes = Math.ceil(secondsLeft / 60);
  sendSmallPage(ctx, 'Too many requests', `<p>Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.</p>`);
}
