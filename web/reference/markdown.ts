import { type Child, h, replaceMatches } from './dom.ts';

interface Block {
  readonly kind: 'paragraph' | 'heading' | 'list' | 'numbers' | 'code';
  readonly lines: string[];
}

const markers: [Block['kind'], RegExp][] = [
  ['code', /^```.*/],
  ['heading', /^#{1,6}\s+/],
  ['list', /^[-*]\s+/],
  ['numbers', /^\d+\.\s+/],
];

/** The part of Markdown that the contract uses: paragraphs, headings, lists, fenced code, `code`, **strong**, *emphasis*, links. */
export const markdown = (text: string): HTMLElement[] => parseBlocks(text).map(blockElement);

function parseBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of text.split('\n')) {
    const [kind = 'paragraph', marker = ''] = markers.find(([, pattern]) => pattern.test(line)) ?? [];
    if (open?.kind === 'code') {
      if (kind === 'code') open = undefined;
      else open.lines.push(line);
    } else if (line.trim() === '') open = undefined;
    else if (open && kind === 'paragraph') open.lines.push(`${open.lines.pop() ?? ''} ${line.trim()}`);
    else if (open?.kind === kind) open.lines.push(line.replace(marker, ''));
    else {
      const block: Block = { kind, lines: kind === 'code' ? [] : [line.replace(marker, '')] };
      blocks.push(block);
      open = kind === 'heading' ? undefined : block;
    }
  }
  return blocks;
}

function blockElement({ kind, lines }: Block): HTMLElement {
  if (kind === 'code') return h('pre', h('code', lines.join('\n')));
  if (kind === 'paragraph') return h('p', inline(lines.join(' ')));
  if (kind === 'heading') return h('h3', inline(lines.join(' ')));
  const items = lines.map((line) => h('li', inline(line)));
  return kind === 'list' ? h('ul', items) : h('ol', items);
}

/** Markdown without a paragraph around it, for use within a line. */
export const inlineMarkdown = (text: string): Child[] => inline(text.trim().replaceAll('\n', ' '));

const inlineMarks = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

const inline = (text: string): Child[] =>
  replaceMatches(text, inlineMarks, ([, code, strong, emphasis, label = '', target = '']) => {
    if (code !== undefined)
      return Object.hasOwn(ERROR_CATALOG, code) ? h('a', { href: `#error-${code}` }, h('code', code)) : h('code', code);
    if (strong !== undefined) return h('strong', inline(strong));
    return emphasis === undefined ? link(label, target) : h('em', inline(emphasis));
  });

/** Links lead to web addresses and to places on this site. Any other target, `javascript:` above all, leaves the label as text. */
const link = (label: string, target: string): Child =>
  /^(https?:\/\/|#|\/(?!\/))/.test(target)
    ? h('a', { href: target, ...(target.startsWith('http') && { rel: 'noreferrer' }) }, label)
    : label;

/** Splits a text at its `##` headings. The text before the first one has the title ''. */
export function chapters(text: string): { title: string; text: string }[] {
  const [first = '', ...others] = text.split(/^## +/m);
  const titled = others.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title: title.trim(), text: lines.join('\n') };
  });
  return [{ title: '', text: first }, ...titled];
}
