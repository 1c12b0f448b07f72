import { statusBadge } from '../badges.ts';
import { codeBlock } from '../code-block.ts';
import { prettyJson } from '../json-view.ts';
import { make } from '../make.ts';
import { lazyDetails } from '../schema-tree.ts';
import type { Reply } from './send.ts';

const sizeText = (characters: number): string => (characters < 1000 ? `${characters} B` : `${(characters / 1000).toFixed(1)} kB`);

/** What came back: status, time, headers, body, and how to send the same from a shell. */
export function replyView({ status, statusText, milliseconds, headers, text }: Reply, curl: string): Node[] {
  const size = new TextEncoder().encode(text).length;
  return [
    make(
      'p',
      { class: 'reply-line', role: 'status' },
      statusBadge(status, statusText),
      make('span', { class: 'quiet' }, `${milliseconds.toFixed(0)} ms · ${sizeText(size)}`),
    ),
    text === '' ? make('p', { class: 'quiet' }, 'The answer has no body.') : codeBlock(prettyJson(text), 'json', 'The answer'),
    lazyDetails('fold', [`${headers.length} headers`], () => [
      codeBlock(headers.map(([name, value]) => `${name}: ${value}`).join('\n'), 'text', 'The headers of the answer'),
    ]),
    lazyDetails('fold', ['The same with curl'], () => [codeBlock(curl, 'shell', 'The same call with curl')]),
  ];
}
