import { statusBadge } from './badges.ts';
import { type Call, createCall, parameterText, urlOf } from './call.ts';
import { codeBlock, exampleSelect, formatJson, jsonBlock } from './code-block.ts';
import { askForConfirmation } from './confirm-password.ts';
import { type Contract, dryRunRoot, type Endpoint, jsonOf } from './contract.ts';
import { credentialButton } from './credential-dialog.ts';
import { authorizedFetch } from './credentials.ts';
import { type Child, h, lazyDetails, replaceContent } from './dom.ts';
import { errorCodeOf, errorHint } from './error-codes.ts';
import type { Parameter } from './openapi.ts';

type OnCall = (call: Call) => void;

/** A form, folded at first, that sends the call to this service. `onCall` gets the call after every change, unless the body is not JSON. */
export const tryIt = (contract: Contract, endpoint: Endpoint, onCall: OnCall): HTMLElement => {
  const label = ['Try it', h('span.off-screen', ` : ${endpoint.operation.summary ?? endpoint.id}`)];
  return lazyDetails('try', label, () => form(contract, endpoint, onCall));
};

function form(contract: Contract, endpoint: Endpoint, onCall: OnCall): HTMLFormElement {
  const { id } = endpoint;
  const controls = new Map(endpoint.parameters.map((parameter) => [parameter, parameterControl(contract, id, parameter)]));
  const body = bodyField(contract, endpoint);
  const reply = h('div.reply', { 'aria-live': 'polite' });
  const button = h('button.primary', { type: 'submit' }, 'Send');
  const dryRun = contract.hasDryRun(endpoint) && h('button', { type: 'submit' }, 'Try without saving');
  const fields = [...controls].map(([parameter, control]) => parameterField(parameter, control));
  const element = h(
    'form.try-form',
    { 'aria-label': `Try ${id}` },
    h('div.try-fields', fields, body?.element),
    h('p.actions', button, dryRun, credentialButton('credential.small')),
    reply,
  );
  const valueOf = (parameter: Parameter): string => controls.get(parameter)?.value.trim() ?? '';
  const readCall = (): Call => createCall(endpoint, valueOf, body?.text() || undefined);
  const report = (): void => {
    if (jsonProblem(body?.text() ?? '') === '') onCall(readCall());
  };
  element.addEventListener('input', report);
  // The examples to start from are in a list, which replaces the body.
  element.addEventListener('change', report);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (body && !body.validate()) return;
    button.disabled = true;
    const call = readCall();
    const isDryRun = dryRun !== false && event.submitter === dryRun;
    replaceContent(reply, await send(contract, endpoint, isDryRun ? { ...call, path: dryRunRoot + call.path } : call));
    button.disabled = false;
  });
  return element;
}

/** A long example gets a whole line, so that it is not cut. */
const parameterField = ({ name, required, example }: Parameter, control: HTMLElement): HTMLElement =>
  h(
    parameterText(example).length > 20 ? 'p.input.wide' : 'p.input',
    h('label', { for: control.id }, h('code', name), required && h('span.required', 'required')),
    control,
  );

/** Holds the example if the parameter is required, and is empty otherwise, so that the first call is not filtered. */
function parameterControl(contract: Contract, endpointId: string, parameter: Parameter): HTMLInputElement | HTMLSelectElement {
  const { example } = parameter;
  const id = `try-${endpointId}-${parameter.in}-${parameter.name}`;
  const schema = contract.resolve(parameter.schema ?? {});
  const value = parameter.required ? parameterText(example) : '';
  const values = schema.type === 'boolean' ? [true, false] : schema.enum;
  if (values) return selectControl(id, values.map(parameterText), value);
  const input = h('input', {
    id,
    type: 'text',
    placeholder: value === '' && example !== undefined ? parameterText(schema.default ?? example) : '',
    autocomplete: 'off',
    spellcheck: 'false',
    required: parameter.in === 'path',
    inputmode: schema.type === 'integer' || schema.type === 'number' ? 'numeric' : undefined,
  });
  input.value = value;
  return input;
}

function selectControl(id: string, values: readonly string[], value: string): HTMLSelectElement {
  const options = values.map((each) => h('option', { value: each }, each));
  const select = h('select', { id }, h('option', { value: '' }, 'not sent'), options);
  select.value = value;
  return select;
}

interface BodyField {
  readonly element: HTMLElement;
  text(): string;
  /** Shows the error if the text is not JSON. */
  validate(): boolean;
}

/** The JSON body as text, initially an example of the contract. */
function bodyField(contract: Contract, { id, body }: Endpoint): BodyField | null {
  const content = jsonOf(body);
  if (!content) return null;
  const examples = contract.examplesOf(content);
  const area = h('textarea', {
    id: `try-${id}-body`,
    rows: 6,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': `try-${id}-body-problem`,
  });
  const problem = h('span.bad', { id: `try-${id}-body-problem`, role: 'alert' });
  const fill = (index: number): void => {
    area.value = formatJson(examples[index]?.value ?? {});
    area.rows = Math.min(14, Math.max(3, area.value.split('\n').length + 1));
  };
  fill(0);
  const label = h('label', { for: area.id }, 'Body', h('span.quiet', ' JSON'));
  const select = examples.length > 1 && exampleSelect('Example to start from', examples, fill);
  return {
    element: h('div.input.wide', label, select, area, problem),
    text: () => area.value.trim(),
    validate() {
      const sentence = jsonProblem(area.value);
      problem.textContent = sentence;
      area.setAttribute('aria-invalid', String(sentence !== ''));
      return sentence === '';
    },
  };
}

function jsonProblem(text: string): string {
  try {
    if (text.trim() !== '') JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}.`;
  }
}

/** Sends the call with the current credential and returns what to show for it. */
async function send({ basePath }: Contract, { operation }: Endpoint, call: Call): Promise<Child> {
  const method = call.method.toUpperCase();
  const sendCall = (): Promise<Reply> => sendRequest(method, basePath + urlOf(call), call.headers, call.body);
  try {
    const reply = await sendCall();
    // Only a session is asked.
    const isAsked = operation['x-confirm-password'] && errorCodeOf(reply.text) === 'svc_api_confirm_password';
    return responseView(isAsked ? await repeatConfirmed(reply, sendCall) : reply);
  } catch {
    const sentence = 'The call could not be sent. The service is unreachable, or a header contains characters that cannot be sent.';
    return h('p.bad', { role: 'alert' }, sentence);
  }
}

interface Reply {
  readonly response: Response;
  readonly text: string;
  /** Until the last byte. */
  readonly milliseconds: number;
}

async function sendRequest(method: string, url: string, headers: Call['headers'], body: string | undefined): Promise<Reply> {
  const type = body === undefined ? [] : [['Content-Type', 'application/json'] as const];
  const started = performance.now();
  const response = await authorizedFetch(url, {
    method,
    headers: Object.fromEntries([...headers, ...type]),
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { response, text, milliseconds: performance.now() - started };
}

/** Repeats the call when the reader has confirmed the password. The refusal of a wrong one is the reply. */
async function repeatConfirmed(refused: Reply, sendCall: () => Promise<Reply>): Promise<Reply> {
  const confirmation = await askForConfirmation();
  if (!confirmation) return refused;
  const confirmed = await sendRequest('POST', '/console/confirm', [], JSON.stringify(confirmation));
  return confirmed.response.ok ? sendCall() : confirmed;
}

function responseView({ response, text, milliseconds }: Reply): Child {
  const { status, statusText, headers } = response;
  const bytes = new TextEncoder().encode(text).length;
  const size = bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  return [
    h('p.reply-line', { role: 'status' }, statusBadge(status, statusText), h('span.quiet', `${milliseconds.toFixed(0)} ms · ${size}`)),
    errorHint(text),
    text === '' ? h('p.quiet', 'The response has no body.') : bodyView(text),
    lazyDetails('fold', `${lines.length} headers`, () => codeBlock(lines.join('\n'), 'text', 'Response headers')),
  ];
}

/** Each value of a tree is an element, so longer texts stay plain. */
const maxTreeCharacters = 120_000;

/** Text that is not JSON is shown as it is. */
function bodyView(text: string): HTMLElement {
  try {
    const value: unknown = JSON.parse(text);
    const isShort = text.length < maxTreeCharacters;
    return isShort ? jsonBlock(value, 'Response body') : codeBlock(formatJson(value), 'text', 'Response body');
  } catch {
    return codeBlock(text, 'text', 'Response body');
  }
}
