/**
 * Part of `npm run check`: each command, page address and console page that the README names, and each page address and console page that a
 * guide linked from it names, is in a call `promised('PAGE', 'text')` of a journey. The calls are read, not run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { findCoverage } from '../../test/guides/block-coverage.ts';
import { listBlocks } from '../../test/guides/pages.ts';

interface Promised {
  page: string;
  text: string;
}

interface Claim extends Promised {
  isKept: (promise: string) => boolean;
}

const read = (file: string): string => readFileSync(file, 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
const capture = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, captured = '']) => captured);

const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.)*`/.source;
const call = new RegExp(String.raw`\bpromised\(\s*(${literal}|\w+),\s*(${literal}),?\s*\)`, 'g');

/** Of all calls in a file. Their arguments are literals, or the page is a constant of the file. */
function listPromised(file: string): Promised[] {
  const source = read(file);
  const constants = new Map([...source.matchAll(new RegExp(`const (\\w+) = (${literal})`, 'g'))].map(([, name, value]) => [name, value]));
  const unquote = (text: string): string => text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  const found = [...source.matchAll(call)].map(([, page = '', text = '']) => ({
    page: unquote(constants.get(page) ?? page),
    text: unquote(text),
  }));
  if (found.length !== source.split('promised(').length - 1) throw new Error(`${file} calls promised() with something that is no literal.`);
  return found;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Kept by a promise that has the text as a whole: `/demo-shop/subscriptions` is not `/demo-shop`. */
const asPart = (page: string, text: string): Claim => {
  const whole = new RegExp(`(?<![\\w/-])${escape(text)}(?![\\w/-])`);
  return { page, text, isKept: (promise) => whole.test(promise) };
};

const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');

const titles = new Set(capture(read('web/console/pages.ts'), /title: '([^']+)'/g));
const roots = capture(filesIn('server/pages').map(read).join('\n'), /router\.get\('\/([a-z-]+)/g).join('|');

/** In the text around the blocks: URLs of the service, and paths of its pages. */
function listAddresses(page: string): Claim[] {
  const text = withoutBlocks(read(page));
  const urls = capture(text, /(http:\/\/(?:127\.0\.0\.1|localhost):8080(?:\/[\w./?&=-]*[\w/=])?)/g).filter((url) => !url.includes('/api/'));
  const paths = capture(text, new RegExp(`\`(?:GET )?(/(?:${roots})(?:[/?][^\`\\s]*)?)\``, 'g'));
  return [...urls, ...paths].map((address) => asPart(page, address));
}

/** Named in bold or in italics, but not as the subject of an entry of a list, or in a table of pages. */
function listConsolePages(page: string): Claim[] {
  const text = withoutBlocks(read(page));
  const tables = capture(text, /^\| page \|.*\n((?:\|.*\n)+)/gm).join('');
  const names = [...capture(text, /(?<!^- )(?<!\*)\*{1,2}([A-Z][A-Za-z ]+)\*{1,2}/gm), ...capture(tables, /^\| ([^|]+) \|/gm)];
  return names.filter((name) => titles.has(name)).map((name) => ({ page, text: name, isKept: (promise) => promise === name }));
}

function listCommands(page: string): Claim[] {
  const lines = listBlocks(page)
    .filter(({ language }) => language === 'bash')
    .flatMap(({ source }) => source.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim());
  const inText = capture(withoutBlocks(read(page)), /`((?:[A-Z_]+=\S+ )*(?:npm|npx) [^`]+)`/g);
  return [...lines, ...inText].filter((line) => line !== '').map((line) => asPart(page, line));
}

/** A block of commands that neither test/guides runs nor its list excuses. */
const listUncovered = (page: string): Claim[] =>
  listBlocks(page)
    .filter((block) => block.language === 'bash' && findCoverage(block) === undefined)
    .map(({ source }) => asPart(page, source.trim()));

const readme = 'README.md';
const guides = [...new Set(capture(read(readme), /\]\((docs\/guides\/[\w-]+\.md)/g))];
const claims = [
  ...listCommands(readme),
  ...guides.flatMap(listUncovered),
  ...[readme, ...guides].flatMap((page) => [...listAddresses(page), ...listConsolePages(page)]),
];
const promises = filesIn('test/journeys')
  .filter((file) => !file.endsWith('/promised.ts'))
  .flatMap(listPromised);
const broken = claims.filter(({ page, isKept }) => !promises.some((promise) => promise.page === page && isKept(promise.text)));
const lines = new Set(broken.map(({ page, text }) => `${page}: ${text}`));
if (lines.size > 0) {
  console.log(`No journey walks what these pages promise. Walk it in test/journeys, and name it there by promised('PAGE', 'text'):`);
  console.log([...lines].join('\n'));
  process.exitCode = 1;
}
