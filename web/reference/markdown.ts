import { make } from './make.ts';

/** The part of Markdown that the contract uses: paragraphs, headings, lists, fenced code, `code`, **strong**, *emphasis*, links. */
export function markdown(text: string): Node[] {
  return blocksOf(text).map(blockNode);
}

/** The same without paragraphs around it, for a line within something else. */
export const inlineMarkdown = (text: string): Node[] => inline(text.trim().replaceAll('\n', ' '));

interface Block {
  kind: 'paragraph' | 'heading' | 'list' | 'numbers' | 'code';
  lines: string[];
}

const startOf: [Block['kind'], RegExp][] = [
  ['heading', /^#{1,6}\s+/],
  ['list', /^[-*]\s+/],
  ['numbers', /^\d+\.\s+/],
];

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const line of text.split('\n')) {
    if (open?.kind === 'code' ? line.startsWith('```') : line.trim() === '') {
      open = null;
      continue;
    }
    const next = continued(open, line);
    if (next !== open) blocks.push(next);
    open = next.kind === 'heading' ? null : next;
  }
  return blocks;
}

/** The block that the line belongs to: the open one, which takes it, or a new one. */
function continued(open: Block | null, line: string): Block {
  if (open?.kind === 'code') return take(open, line);
  if (line.startsWith('```')) return { kind: 'code', lines: [] };
  const [kind, mark] = startOf.find(([, pattern]) => pattern.test(line)) ?? [];
  if (!kind || !mark) return open ? join(open, line) : { kind: 'paragraph', lines: [line] };
  const item = line.replace(mark, '');
  return open?.kind === kind ? take(open, item) : { kind, lines: [item] };
}

function take(open: Block, line: string): Block {
  open.lines.push(line);
  return open;
}

/** A line that starts nothing goes on with the last one. */
function join(open: Block, line: string): Block {
  open.lines.push(`${open.lines.pop() ?? ''} ${line.trim()}`);
  return open;
}

function blockNode({ kind, lines }: Block): Node {
  if (kind === 'code') return make('pre', {}, make('code', {}, lines.join('\n')));
  if (kind === 'paragraph') return make('p', {}, inline(lines.join(' ')));
  if (kind === 'heading') return make('h3', {}, inline(lines.join(' ')));
  const items = lines.map((line) => make('li', {}, inline(line)));
  return kind === 'list' ? make('ul', {}, items) : make('ol', {}, items);
}

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function inline(text: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [all, code, strong, emphasis, label, target] = match;
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    if (code !== undefined) nodes.push(make('code', {}, code));
    else if (strong !== undefined) nodes.push(make('strong', {}, inline(strong)));
    else if (emphasis !== undefined) nodes.push(make('em', {}, inline(emphasis)));
    else nodes.push(link(label ?? '', target ?? ''));
    end = match.index + all.length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/** Addresses of the web and places on this page; anything else (`javascript:` above all) stays text. */
const link = (label: string, target: string): Node =>
  /^(https?:\/\/|#|\/(?!\/))/.test(target)
    ? make('a', { href: target, ...(target.startsWith('http') && { rel: 'noreferrer' }) }, label)
    : document.createTextNode(label);

/** Cuts a text at its `##` headings: what stands before the first one, and each part with its title. */
export function chapters(text: string): { title: string; text: string }[] {
  const [first = '', ...others] = text.split(/^## +/m);
  const titled = others.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title: title.trim(), text: lines.join('\n') };
  });
  return [{ title: '', text: first }, ...titled];
}
