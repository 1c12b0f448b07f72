import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A block of code on a page. */
export interface Block {
  page: string;
  /** Of its first fence. */
  line: number;
  /** The heading above it. */
  under: string;
  /** The word after the fence, or empty. */
  language: string;
  source: string;
}

/** Every page of the documentation. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'client/README.md',
  'openapi/EXTENSIONS.md',
  'openapi/STYLE.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file))
    .toSorted(),
];

export function listBlocks(page: string): Block[] {
  const blocks: Block[] = [];
  let under = '';
  let open: Block | null = null;
  for (const [at, text] of readFileSync(page, 'utf8').split('\n').entries()) {
    const fence = /^\s*```(\w*)\s*$/.exec(text);
    if (fence && open) {
      blocks.push(open);
      open = null;
    } else if (fence) open = { page, line: at + 1, under, language: fence[1] ?? '', source: '' };
    else if (open) open.source += `${text}\n`;
    else under = /^#+ (.+)$/.exec(text)?.[1] ?? under;
  }
  if (open) throw new Error(`${page}:${open.line} starts a code block that does not end.`);
  return blocks;
}
