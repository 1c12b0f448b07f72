import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApiError, type ApiErrorCode, createApi, isApiError } from 'affiliate-program-client';
import { expect } from 'chai';
import { rejectionOf } from './fixture.ts';

/** Runs the work with the base URL of a server that lives as long as the work takes. */
async function withServer<Result>(listener: RequestListener, work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function expectCode<Code extends ApiErrorCode>(error: unknown, code: Code): ApiError<Code> {
  if (!isApiError(error, code)) throw new Error(`Expected an ApiError "${code}", got: ${String(error)}`, { cause: error });
  return error;
}

const never: RequestListener = () => {};

describe('a call without a response', () => {
  it('throws no_answer with the URL and the reason if there is no connection', async () => {
    const baseUrl = await withServer(never, async (url) => url);
    const error = expectCode(await rejectionOf(createApi({ baseUrl }).me.get()), 'no_answer');
    expect(error.message).to.include(`No response from ${baseUrl}/me: `).and.include('ECONNREFUSED');
    expect([error.status, error.requestId, error.data]).to.deep.equal([0, null, { status: 0 }]);
    expect(error.cause).to.be.instanceOf(TypeError);
  });

  it('throws no_answer if the connection is lost during the response', async () => {
    const half: RequestListener = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"user":');
      setImmediate(() => response.destroy());
    };
    const error = await withServer(half, (baseUrl) => rejectionOf(createApi({ baseUrl }).me.get()));
    expect(expectCode(error, 'no_answer').cause).to.be.instanceOf(Error);
  });

  it('throws aborted or timed_out depending on the signal, with its reason as the cause', async () => {
    await withServer(never, async (baseUrl) => {
      const api = createApi({ baseUrl });
      const left = new AbortController();
      const aborted = rejectionOf(api.me.get({ signal: left.signal }));
      const reason = new Error('the page was left');
      left.abort(reason);
      expect(expectCode(await aborted, 'aborted').cause).to.equal(reason);
      const late = expectCode(await rejectionOf(api.me.get({ signal: AbortSignal.timeout(5) })), 'timed_out');
      expect(late.cause).to.have.property('name', 'TimeoutError');
    });
  });

  it('throws timed_out if the fetch of the caller has a timeout', async () => {
    const fetchWithTimeout = (request: Request): Promise<Response> => fetch(request, { signal: AbortSignal.timeout(5) });
    const error = await withServer(never, (baseUrl) => rejectionOf(createApi({ baseUrl, fetch: fetchWithTimeout }).me.get()));
    expectCode(error, 'timed_out');
  });
});

describe('a call whose response is not JSON', () => {
  for (const [what, text] of Object.entries({ 'an HTML page': '<h1>Welcome</h1>', 'an empty body': '', 'half of a JSON text': '{"user":' }))
    it(`throws unexpected_answer: ${what}`, async () => {
      const notJson: RequestListener = (_request, response) => void response.writeHead(200).end(text);
      const error = await withServer(notJson, (baseUrl) => rejectionOf(createApi({ baseUrl }).me.get()));
      const { status, message } = expectCode(error, 'unexpected_answer');
      expect(status).to.equal(200);
      expect(message).to.include('/api/v2/me').and.include('200');
    });
});
