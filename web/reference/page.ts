import type { Contract } from './contract.ts';
import { credentialButton, credentialDialog } from './credential-dialog.ts';
import { h, replaceContent } from './dom.ts';
import { introduction } from './introduction.ts';
import { inlineMarkdown } from './markdown.ts';
import { drawer, filterField, goToHash, navigationGroups, trackCurrentSection } from './navigation.ts';
import { operationSection } from './operation.ts';
import { recordsSection } from './schema-view.ts';
import { themeButton } from './theme.ts';
import { webhooksSection } from './webhooks.ts';

/** Shows the whole page: the bar of narrow screens, the navigation, and the contract. */
export function showReference(root: HTMLElement, contract: Contract): void {
  const { title, version } = contract.document.info;
  document.title = `${title} reference`;
  const groups = navigationGroups(contract);
  const groupElements = groups.map(({ element }) => element);
  const navigation = h(
    'nav.navigation',
    { id: 'navigation', 'aria-label': 'Contents' },
    h(
      'div.navigation-head',
      h('p.brand', h('a', { href: '#introduction' }, title), h('span.version', version), themeButton()),
      credentialButton('credential'),
      filterField(groups),
    ),
    groupElements,
  );
  const main = h(
    'main',
    { id: 'content', tabindex: -1 },
    introduction(contract),
    tagSections(contract),
    webhooksSection(contract),
    recordsSection(contract),
  );
  const { button, shade } = drawer(navigation);
  const bar = h('header.bar', button, h('a.bar-title', { href: '#introduction' }, title), themeButton());
  replaceContent(root, bar, navigation, shade, main, credentialDialog(contract.basePath));
  goToHash();
  window.addEventListener('hashchange', goToHash);
  trackCurrentSection(main, navigation);
  document.documentElement.dataset['ready'] = 'true';
}

const tagSections = (contract: Contract): HTMLElement[] =>
  contract.tags().map(({ name, description, endpoints }) => {
    const id = `tag-${name}`;
    const operations = endpoints.map((endpoint) => operationSection(contract, endpoint));
    const head = h('header.tag-head', h('h2', { id, tabindex: -1 }, name), h('p.quiet', inlineMarkdown(description)));
    return h('section.tag', { 'aria-labelledby': id }, head, operations);
  });
