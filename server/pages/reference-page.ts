import { Router } from '@koa/router';
import { ApiError } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import type { OpenApiDocument } from '../../site/document/openapi.ts';
import { getAvailability, isDocumentPublic } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { CompressedBody, compressedJson } from '../http/compressed-body.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { formatOperationList, formatReferenceText } from './reference-text.ts';
import { readWebFiles, type WebFiles } from './web-files.ts';
import { once, sendBody, sendNotBuilt, sendPage } from './web-page.ts';

type GetDocument = (settings: Settings) => OpenApiDocument;

/**
 * The reference page and the guides, the same for all callers. The page's script reads the document here rather than from the API, where the
 * visitors of the page would use up the rate limit that all anonymous callers share.
 * With `isReloading`, an open page reloads when the document changes.
 */
export function referenceRoutes(apiRoot: string, getDocument: GetDocument, isReloading: boolean): Router<RequestState> {
  const built = once(() => {
    const web = readWebFiles();
    return web && createPages(apiRoot, web, isReloading);
  });
  const router = new Router<RequestState>({ strict: true });
  const show = (kind: 'reference' | 'text') => async (ctx: RequestContext) => {
    const { settings } = ctx.state;
    const page = built()?.pagesOf(isDocumentPublic(settings) ? getDocument(settings) : null)[kind];
    if (page) return sendPage(ctx, page);
    sendNotBuilt(ctx, 'reference page');
  };
  router.get('/docs', show('reference'));
  router.get('/docs/text', show('text'));
  router.get('/docs/openapi.json', async (ctx, next) => {
    const { settings } = ctx.state;
    if (getAvailability('get_openapi', settings) !== 'served') return next();
    if (!isDocumentPublic(settings)) throw new ApiError('svc_api_unauthorized');
    return sendBody(ctx, compressedJson(getDocument(settings)), 'no-cache');
  });
  router.get('/docs/guides', async (ctx) => {
    const page = built()?.guides.get('');
    return page ? sendPage(ctx, page) : sendNotBuilt(ctx, 'list of guides');
  });
  router.get('/docs/guides/:name', async (ctx, next) => {
    const page = built()?.guides.get(String(ctx['params'].name));
    return page ? sendPage(ctx, page) : next();
  });
  router.get('/docs/:file', async (ctx, next) => {
    const file = built()?.files.get(String(ctx['params'].file));
    return file ? sendBody(ctx, file, 'public, max-age=31536000, immutable') : next();
  });
  return router;
}

interface DocumentPages {
  /** Made by its script from the document. Without scripts, it lists the operations. */
  readonly reference: CompressedBody;
  /** The whole document as text. */
  readonly text: CompressedBody;
}

interface Pages {
  /** Null where the document is not public: the pages then have no text, and the script asks for a credential. */
  pagesOf(document: OpenApiDocument | null): DocumentPages;
  /** By their names. The list of all has the empty name. */
  readonly guides: ReadonlyMap<string, CompressedBody>;
  readonly files: ReadonlyMap<string, CompressedBody>;
}

function createPages(apiRoot: string, { files, guides }: WebFiles, isReloading: boolean): Pages {
  const href = (name: string): string => escapeHtml(`/docs/${files.get(name)?.name ?? ''}`);
  const render = (title: string, body: string): CompressedBody => {
    const content = `<!doctype html>
<html lang="en"${isReloading ? ' data-reload' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${href('icon.svg')}">
<link rel="stylesheet" href="${href('reference.css')}">
<link rel="service-desc" type="application/json" href="${escapeHtml(`${apiRoot}/openapi`)}">
<script type="module" src="${href('reference.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${body}
</body>
</html>
`;
    return new CompressedBody(Buffer.from(content), 'text/html; charset=utf-8');
  };
  const groups = [...new Set(guides.map(({ group }) => group))];
  const linksFor = (current: string): string[] =>
    groups.map((group) => {
      const links = guides.filter((guide) => guide.group === group).map(({ name, title }) => guideLink(name, title, name === current));
      return `<section><h2>${escapeHtml(group)}</h2>\n${links.join('\n')}</section>`;
    });
  const list = groups.map((group) => {
    const own = guides.filter((guide) => guide.group === group);
    const items = own.map(({ name, title, lead }) => `<dt>${guideLink(name, title, false)}</dt>\n<dd>${escapeHtml(lead)}</dd>`);
    return `<h2>${escapeHtml(group)}</h2>\n<dl>${items.join('\n')}</dl>`;
  });
  const links = linksFor('');
  const renderPages = (document: OpenApiDocument | null): DocumentPages => ({
    reference: render('API reference', referenceBody(document ? formatOperationList(document) : noText(apiRoot), links)),
    text: render('API reference', textBody(document ? formatReferenceText(document) : noText(apiRoot), links)),
  });
  const hidden = renderPages(null);
  const byDocument = new WeakMap<OpenApiDocument, DocumentPages>();
  return {
    pagesOf(document) {
      if (document === null) return hidden;
      const pages = byDocument.get(document) ?? renderPages(document);
      byDocument.set(document, pages);
      return pages;
    },
    guides: new Map([
      ['', render('Guides', textBody(`<h1>Guides</h1>\n${list.join('\n')}`, links))],
      ...guides.map(({ name, title, html }) => [name, render(title, textBody(html, linksFor(name)))] as const),
    ]),
    files: new Map([...files.values()].map(({ name, content }) => [name, content])),
  };
}

const guideLink = (name: string, title: string, isCurrent: boolean): string =>
  `<a href="/docs/guides/${escapeHtml(name)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;

const noText = (apiRoot: string): string => `<h1>API reference</h1>
<p>This site does not publish its contract. An administrator may read it with a credential: <code>GET ${escapeHtml(apiRoot)}/openapi</code>.</p>`;

/** The script shows the contract in `#reference`. */
const referenceBody = (text: string, guideLinks: readonly string[]): string => `<div id="reference">
<p class="waiting" role="status">Reading the contract …</p>
</div>
<noscript>
${textBody(text, guideLinks)}
</noscript>`;

const textBody = (html: string, guideLinks: readonly string[]): string => `<nav class="guides" aria-label="Guides">
<section><a href="/docs/guides">All guides</a>
<a href="/docs">API reference</a>
<a href="/console">Console</a></section>
${guideLinks.join('\n')}
</nav>
<main class="text prose" id="content">
${html}
</main>`;
