/** The guides of docs/guides/ and the tables of docs/reference/ as HTML, and their headings for the search of the reference page. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guide } from '../../server/pages/web-files.ts';

const folderOf = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));

/** A heading in the search: the guide's title has no fragment. */
export interface GuideHeading {
  href: string;
  title: string;
  text: string;
}

/** The guides by reader, those for shop owners first. */
const readers: Readonly<Record<string, readonly string[]>> = {
  'Run your program': ['open-the-program', 'console', 'pay-affiliates', 'risk'],
  Connect: ['connect-a-store', 'move-from-another-system', 'import', 'let-an-agent-help'],
  Operate: ['run-in-production', 'several-processes', 'settings'],
  'Build on the API': ['write-a-client', 'receive-webhooks', 'extend-a-site', 'change-the-contract', 'errors'],
};

const groupOf = (name: string): string => Object.entries(readers).find(([, names]) => names.includes(name))?.[0] ?? 'Operate';

/** The place in `readers`. A guide that is not listed is the last of its group. */
function placeOf(name: string): number {
  const group = groupOf(name);
  const at = readers[group]?.indexOf(name) ?? -1;
  return Object.keys(readers).indexOf(group) * 100 + (at < 0 ? 99 : at);
}

export function buildGuides(): { guides: Guide[]; headings: GuideHeading[] } {
  const sources = ['guides', 'reference']
    .flatMap((kind) => readSources(folderOf(kind)))
    .toSorted((one, other) => placeOf(one.name) - placeOf(other.name));
  const guides = sources.map(({ name, lines }) => {
    const title = plain(lines[0]?.replace(/^# /, '') ?? name);
    return {
      name,
      title,
      group: groupOf(name),
      lead: leadOf(lines),
      html: toHtml(lines),
      headings: headingsOf(lines).map((text) => ({ href: hrefOf(name, text, title), title, text })),
    };
  });
  return {
    guides: guides.map(({ name, title, group, lead, html }) => ({ name, title, group, lead, html })),
    headings: guides.flatMap(({ headings }) => headings),
  };
}

const readSources = (folder: string): { name: string; lines: string[] }[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({
      name: path.basename(file, '.md'),
      lines: readFileSync(path.join(folder, file), 'utf8')
        .replace(/^<!--.*-->\s*/, '')
        .split('\n'),
    }));

/** The first sentence, as plain text. */
function leadOf(lines: readonly string[]): string {
  const first = lines.slice(1).find((line) => paragraph.pattern.test(line)) ?? '';
  const text = plain(first.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1'));
  return /^.+?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

const hrefOf = (name: string, heading: string, title: string): string =>
  `/docs/guides/${name}${heading === title ? '' : `#${slug(heading)}`}`;

/** As GitHub makes them, so that links between the guides work in both places. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const plain = (text: string): string => text.replace(/[`*]/g, '');

function headingsOf(lines: readonly string[]): string[] {
  let isCode = false;
  return lines.flatMap((line) => {
    if (line.startsWith('```')) isCode = !isCode;
    const [, text] = isCode ? [] : (/^#{1,4} (.+)$/.exec(line) ?? []);
    return text === undefined ? [] : [plain(text)];
  });
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:[^>]+)>/g;

function inline(text: string): string {
  let end = 0;
  let html = '';
  for (const match of text.matchAll(marks)) {
    const [all, code, strong, label, target = '', address] = match;
    html += escape(text.slice(end, match.index));
    if (code !== undefined) html += `<code>${escape(code)}</code>`;
    else if (strong !== undefined) html += `<strong>${inline(strong)}</strong>`;
    else html += address === undefined ? link(inline(label ?? ''), target) : `<code>${escape(address)}</code>`;
    end = match.index + all.length;
  }
  return html + escape(text.slice(end));
}

/** Links to other guides, to the tables of the reference, and to the web. The other files of the repository are not served, so their names stay as text. */
function link(label: string, target: string): string {
  const [, guide, fragment = ''] = /^(?:\.\.\/(?:guides|reference)\/)?([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (guide !== undefined) return `<a href="/docs/guides/${guide}${escape(fragment)}">${label}</a>`;
  return /^(https:|#)/.test(target) ? `<a href="${escape(target)}" rel="noreferrer">${label}</a>` : label;
}

const image = /^\s*<\/?(picture|source|img)\b/;

/** The part of Markdown that the guides use: headings, paragraphs, lists, tables, fenced code. Images are not served and left out. */
function toHtml(lines: readonly string[]): string {
  const blocks: string[] = [];
  const take = (index: number, pattern: RegExp): string[] => {
    const end = lines.findIndex((line, at) => at >= index && !pattern.test(line));
    return lines.slice(index, end < 0 ? lines.length : end);
  };
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? '';
    const [, level, heading = ''] = /^(#{1,4}) (.+)$/.exec(line) ?? [];
    if (line.startsWith('```')) {
      const code = take(index + 1, /^(?!```)/);
      blocks.push(`<pre><code>${escape(code.join('\n'))}</code></pre>`);
      index += code.length + 2;
    } else if (level !== undefined) {
      blocks.push(`<h${level.length} id="${slug(plain(heading))}">${inline(heading)}</h${level.length}>`);
      index += 1;
    } else if (line.trim() === '' || image.test(line)) index += 1;
    else {
      const kind = kinds.find(({ pattern }) => pattern.test(line)) ?? paragraph;
      const own = take(index, kind.pattern);
      blocks.push(kind.render(own));
      index += own.length;
    }
  }
  return blocks.join('\n');
}

const items = (lines: readonly string[], marker: RegExp): string =>
  lines
    .join('\n')
    .split(marker)
    .slice(1)
    .map((item) => `<li>${inline(item.trim())}</li>`)
    .join('\n');

const row = (line: string, cell: 'th' | 'td'): string =>
  `<tr>${line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((text) => `<${cell}>${inline(text.trim().replaceAll('\\|', '|'))}</${cell}>`)
    .join('')}</tr>`;

interface Kind {
  pattern: RegExp;
  render(lines: readonly string[]): string;
}

const paragraph: Kind = {
  pattern: /^(?!\s*$|\s*<\/?(?:picture|source|img)|#|```|\||- |\d+\. )/,
  render: (lines) => `<p>${inline(lines.join('\n'))}</p>`,
};

const kinds: Kind[] = [
  {
    pattern: /^\|/,
    render: ([head = '', , ...body]) =>
      `<table><thead>${row(head, 'th')}</thead><tbody>\n${body.map((line) => row(line, 'td')).join('\n')}\n</tbody></table>`,
  },
  { pattern: /^(- |\s+\S)/, render: (lines) => `<ul>${items(lines, /^- /m)}</ul>` },
  { pattern: /^(\d+\. |\s+\S)/, render: (lines) => `<ol>${items(lines, /^\d+\. /m)}</ol>` },
];
