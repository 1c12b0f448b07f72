import { commonGround } from './common-ground.ts';
import type { Contract } from './contract.ts';
import { credentialButton } from './credential-button.ts';
import { credentialDialog } from './credential-dialog.ts';
import { drawer } from './drawer.ts';
import { introduction } from './introduction.ts';
import { make, replaceContent } from './make.ts';
import { inlineMarkdown } from './markdown.ts';
import { filterField, groupsOf } from './navigation.ts';
import { operationSection } from './operation.ts';
import { followReading, goToPlace } from './place.ts';
import { schemasPart } from './schemas.ts';
import { themeButton } from './theme.ts';
import { webhooksPart } from './webhooks.ts';

/** The whole page: the bar of narrow screens, the navigation, and everything the contract says. */
export function showReference(root: HTMLElement, contract: Contract): void {
  const { title, version } = contract.document.info;
  document.title = `${title} reference`;
  const groups = groupsOf(contract);
  const navigation = make(
    'nav',
    { id: 'navigation', class: 'navigation', 'aria-label': 'Contents' },
    make(
      'div',
      { class: 'navigation-head' },
      make(
        'p',
        { class: 'brand' },
        make('a', { href: '#introduction' }, title),
        make('span', { class: 'version' }, version),
        themeButton(),
      ),
      credentialButton('credential'),
      filterField(groups),
    ),
    groups.map(({ element }) => element),
  );
  const main = make(
    'main',
    { id: 'content', tabindex: -1 },
    introduction(contract),
    commonGround(contract),
    operations(contract),
    webhooksPart(contract),
    schemasPart(contract),
  );
  const [menu, shade] = drawer(navigation);
  const bar = make('header', { class: 'bar' }, menu, make('a', { class: 'bar-title', href: '#introduction' }, title), themeButton());
  replaceContent(root, bar, navigation, shade, main, credentialDialog(contract.basePath));
  goToPlace();
  window.addEventListener('hashchange', goToPlace);
  followReading(main, navigation);
  document.documentElement.dataset['ready'] = 'true';
}

const operations = (contract: Contract): HTMLElement[] =>
  contract.tags().map(({ name, description, endpoints }) =>
    make(
      'section',
      { class: 'tag', 'aria-labelledby': `tag-${name}` },
      make(
        'header',
        { class: 'tag-head' },
        make('h2', { id: `tag-${name}`, tabindex: -1 }, name),
        make('p', { class: 'quiet' }, inlineMarkdown(description)),
      ),
      endpoints.map((endpoint) => operationSection(contract, endpoint)),
    ),
  );
