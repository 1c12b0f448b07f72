import { copyText } from '../shared/clipboard.ts';
import { type Child, h, icon, replaceContent, replaceMatches } from './dom.ts';
import { jsonTree } from './json-tree.ts';

export type Language = 'shell' | 'javascript' | 'python' | 'php' | 'text';

/** The name of the group that matches is the class of the token. */
const tokens: Partial<Record<Language, RegExp>> = {
  shell: /(?<string>'[^']*'|"[^"]*")|(?<=\s|^)(?<word>curl|-X|-H|-d|-u|--get)(?=\s)/g,
  javascript:
    /(?<string>'(?:[^'\\\n]|\\.)*'|`[^`]*`)|\b(?<word>const|await|import|from|new|export|function|return|async|if|throw)\b|(?<comment>\/\/[^\n]*)/g,
  python: /(?<string>f?'(?:[^'\\\n]|\\.)*')|\b(?<word>import|from|with|as|True|False|None)\b/g,
  php: /(?<string>'(?:[^'\\]|\\.)*')|\b(?<word>true|false|null|new|if|throw)\b|(?<key>\$\w+)/g,
};

function highlight(text: string, language: Language): Child {
  const pattern = tokens[language];
  if (!pattern) return text;
  return replaceMatches(text, pattern, ({ 0: token, groups = {} }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    return h(`span.j-${kind}`, token);
  });
}

/** Code with a button that copies it. Screen readers announce the label. */
export const codeBlock = (text: string, language: Language, label: string): HTMLElement =>
  block(text, language, label, highlight(text, language));

/** JSON whose objects and arrays can be collapsed. Those that would make it longer than `maxLines` are collapsed at first. */
export const jsonBlock = (value: unknown, label: string, maxLines = 60): HTMLElement =>
  block(formatJson(value), 'json', label, jsonTree(value, maxLines));

const block = (text: string, language: string, label: string, content: Child): HTMLElement =>
  h(
    'div.code',
    h(`pre.language-${language}`, { tabindex: 0, role: 'group', 'aria-label': label }, h('code', content)),
    copyButton(text, `Copy: ${label}`),
  );

function copyButton(text: string, label: string): HTMLButtonElement {
  const button = h('button.copy', { type: 'button', 'aria-label': label, title: 'Copy' }, icon('copy'));
  button.addEventListener('click', async () => {
    await copyText(text);
    replaceContent(button, icon('done'));
    button.classList.add('copied');
    setTimeout(() => {
      button.classList.remove('copied');
      replaceContent(button, icon('copy'));
    }, 1500);
  });
  return button;
}

export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? '';

export interface NamedExample {
  readonly name: string;
  readonly value: unknown;
}

/** An example with its name. Several examples are chosen from by name. */
export function exampleView(label: string, examples: readonly NamedExample[]): HTMLElement {
  const code = h('div');
  const show = (index: number): void => replaceContent(code, jsonBlock(examples[index]?.value, `Example: ${label}`));
  show(0);
  if (examples.length < 2) return h('div', examples[0] && h('p.example-name', examples[0].name), code);
  return h('div', h('p.example-name', exampleSelect(`Example of ${label}`, examples, show)), code);
}

export function exampleSelect(label: string, examples: readonly NamedExample[], onSelect: (index: number) => void): HTMLSelectElement {
  const options = examples.map(({ name }, index) => h('option', { value: index }, name));
  const select = h('select', { 'aria-label': label }, options);
  select.addEventListener('change', () => onSelect(Number(select.value)));
  return select;
}
