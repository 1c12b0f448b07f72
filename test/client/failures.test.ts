import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiError, type ApiErrorCode, createApi, isApiError } from 'affiliate-program-client';
import { expect } from 'chai';
import { failureOf } from './store.ts';

/** Answers as it is told, for as long as the work takes. */
async function served<Result>(answer: RequestListener, work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function failing<Code extends ApiErrorCode>(error: unknown, code: Code): ApiError<Code> {
  if (!isApiError(error, code)) throw new Error(`It is no ApiError "${code}": ${String(error)}`, { cause: error });
  return error;
}

const never: RequestListener = () => {};

describe('a call that gets no answer', () => {
  it('says that there is no connection, where to, and why', async () => {
    const baseUrl = await served(never, async (url) => url);
    const error = failing(await failureOf(createApi({ baseUrl }).me.get()), 'no_answer');
    expect(error.message).to.include(`${baseUrl}/me gave no answer: `).and.include('ECONNREFUSED');
    expect([error.status, error.requestId, error.data]).to.deep.equal([0, null, { status: 0 }]);
    expect(error.cause).to.be.instanceOf(TypeError);
  });

  it('says so, too, when the connection is lost in the middle of the answer', async () => {
    const half: RequestListener = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"user":');
      setImmediate(() => response.destroy());
    };
    const error = await served(half, (baseUrl) => failureOf(createApi({ baseUrl }).me.get()));
    expect(failing(error, 'no_answer').cause).to.be.instanceOf(Error);
  });

  it('tells one that the caller broke off from one that took too long, and keeps the reason', async () => {
    await served(never, async (baseUrl) => {
      const api = createApi({ baseUrl });
      const left = new AbortController();
      const asked = failureOf(api.me.get({ signal: left.signal }));
      const reason = new Error('the page was left');
      left.abort(reason);
      expect(failing(await asked, 'aborted').cause).to.equal(reason);
      const late = failing(await failureOf(api.me.get({ signal: AbortSignal.timeout(5) })), 'timed_out');
      expect(late.cause).to.have.property('name', 'TimeoutError');
    });
  });

  it('hears of a time limit that its own fetch has set', async () => {
    const impatient = (request: Request): Promise<Response> => fetch(request, { signal: AbortSignal.timeout(5) });
    const error = await served(never, (baseUrl) => failureOf(createApi({ baseUrl, fetch: impatient }).me.get()));
    failing(error, 'timed_out');
  });
});

describe('a call whose answer is no JSON', () => {
  for (const [what, text] of Object.entries({ 'a page': '<h1>Welcome</h1>', nothing: '', 'half of it': '{"user":' }))
    it(`says that something else answered: ${what}`, async () => {
      const other: RequestListener = (_request, response) => void response.writeHead(200).end(text);
      const error = await served(other, (baseUrl) => failureOf(createApi({ baseUrl }).me.get()));
      expect(failing(error, 'unexpected_answer').status).to.equal(200);
    });
});
