import { answerExamples, answersPart } from './answers.ts';
import { badges, methodBadge } from './badges.ts';
import { codeBlock, type Language } from './code-block.ts';
import type { Contract, Endpoint } from './contract.ts';
import { heading } from './heading.ts';
import { make } from './make.ts';
import { markdown } from './markdown.ts';
import { bodyPart, parametersPart } from './parameters.ts';
import { curl, exampleCall, isOpenToAll, javascript } from './snippets.ts';
import { tabs } from './tabs.ts';
import { tryIt } from './try/panel.ts';
import { typedClient } from './typed-client.ts';

/** An operation: its words beside its examples. */
export function operationSection(contract: Contract, endpoint: Endpoint): HTMLElement {
  const { id, operation } = endpoint;
  return make(
    'section',
    { class: 'operation', 'aria-labelledby': id, 'data-operation': id },
    make(
      'div',
      { class: 'words' },
      heading('h3', id, operation.summary ?? id),
      address(endpoint),
      badges(contract, endpoint),
      make('div', { class: 'prose' }, markdown(operation.description ?? '')),
      parametersPart(contract, endpoint),
      bodyPart(contract, endpoint),
      answersPart(contract, endpoint),
    ),
    make(
      'div',
      { class: 'examples' },
      make('div', { class: 'sticky' }, snippets(contract, endpoint), tryIt(contract, endpoint), answerExamples(contract, endpoint)),
    ),
  );
}

/** The path with its blanks set apart. */
function address({ method, path }: Endpoint): HTMLElement {
  const parts = path.split(/(\{[^}]+\})/).map((part) => (part.startsWith('{') ? make('var', {}, part) : part));
  return make('p', { class: 'address' }, methodBadge(method), make('code', {}, parts));
}

function snippets(contract: Contract, endpoint: Endpoint): HTMLElement {
  const call = exampleCall(contract, endpoint);
  const authorisation = isOpenToAll(endpoint) ? 'none' : 'key';
  const name = endpoint.operation.summary ?? endpoint.id;
  const typed = typedClient(contract.baseUrl, call);
  const tab = (title: string, language: Language, text: string) => ({
    name: title,
    content: () => codeBlock(text, language, `${name}, ${title}`),
  });
  return tabs(
    `Calls of ${name}`,
    [
      tab('curl', 'shell', curl(contract.baseUrl, call, authorisation)),
      tab('JavaScript', 'javascript', javascript(contract.baseUrl, call, authorisation)),
      ...(typed === null ? [] : [tab('Typed client', 'javascript', typed)]),
    ],
    { kept: 'snippets' },
  );
}
