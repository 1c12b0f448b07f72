import type { Contract, Endpoint } from '../contract.ts';
import { credentialButton } from '../credential-button.ts';
import { credential } from '../credentials.ts';
import { make, replaceContent } from '../make.ts';
import { lazyDetails } from '../schema-tree.ts';
import { type Call, curl } from '../snippets.ts';
import { type BodyField, bodyField, type ParameterField, parameterFields } from './fields.ts';
import { replyView } from './reply-view.ts';
import { send } from './send.ts';

/** Fold-out form that makes the call for real, on this very service. */
export const tryIt = (contract: Contract, endpoint: Endpoint): HTMLElement =>
  lazyDetails('try', ['Try it', make('span', { class: 'off-screen' }, ` : ${endpoint.operation.summary ?? endpoint.id}`)], () => [
    form(contract, endpoint),
  ]);

function form(contract: Contract, endpoint: Endpoint): HTMLFormElement {
  const fields = parameterFields(contract, endpoint);
  const body = bodyField(contract, endpoint);
  const reply = make('div', { class: 'reply', 'aria-live': 'polite' });
  const button = make('button', { type: 'submit', class: 'primary' }, 'Send');
  const made = make(
    'form',
    { class: 'try-form', 'aria-label': `Try ${endpoint.id}` },
    make(
      'div',
      { class: 'try-fields' },
      fields.map(({ element }) => element),
      body?.element,
    ),
    make('p', { class: 'actions' }, button, credentialButton('credential small')),
    reply,
  );
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  const submit = async (): Promise<void> => {
    const problem = body ? jsonProblem(body.value()) : '';
    body?.complain(problem);
    if (problem !== '') return;
    button.disabled = true;
    await show(contract, callOf(endpoint, fields, body), reply);
    button.disabled = false;
  };
  return made;
}

async function show(contract: Contract, call: Call, place: HTMLElement): Promise<void> {
  try {
    replaceContent(place, replyView(await send(contract.basePath, call), curl(contract.baseUrl, call, credential().kind)));
  } catch {
    replaceContent(
      place,
      make(
        'p',
        { class: 'bad', role: 'alert' },
        'The call could not be sent: the service is away, or a header has characters that cannot be sent.',
      ),
    );
  }
}

function callOf({ method, path }: Endpoint, fields: readonly ParameterField[], body: BodyField | null): Call {
  const of = (place: string): [string, string][] =>
    fields
      .filter(({ parameter }) => parameter.in === place)
      .flatMap(({ parameter, value }) => (value() === '' ? [] : [[parameter.name, value()]]));
  const text = body?.value().trim();
  return {
    method,
    path,
    pathParameters: Object.fromEntries(of('path')),
    query: of('query'),
    headers: of('header'),
    body: text === '' ? undefined : text,
  };
}

function jsonProblem(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`;
  }
}
