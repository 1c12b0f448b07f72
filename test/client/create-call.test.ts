import { expect } from 'chai';
import { type Call, createCall } from '../../client/src/api.ts';

interface DeleteKey {
  parameters: { path: { id: number; user_id: string }; query?: { force?: boolean } };
  responses: { 204: { content?: never } };
}
interface Search {
  parameters: { query?: { page?: number; event?: string[] } };
  requestBody: { content: { 'application/json': { text: string; limit?: number } } };
  responses: { 202: { content: { 'application/json': { found: number } } } };
}

describe('a call of the client', () => {
  const sent: { method: string; url: string; body: string }[] = [];
  const connection = (response: () => Response) => ({
    baseUrl: 'http://127.0.0.1/api/v2',
    async fetch(request: Request): Promise<Response> {
      sent.push({ method: request.method, url: request.url.slice('http://127.0.0.1/api/v2'.length), body: await request.text() });
      return response();
    },
  });
  beforeEach(() => sent.splice(0));

  it('takes ids in the order of the path, a query also for DELETE, and returns nothing for 204', async () => {
    const route = 'DELETE /{user_id}/keys/{id}?';
    const remove = createCall(
      connection(() => new Response(null, { status: 204 })),
      'affiliates',
      route,
    ) as Call<DeleteKey, typeof route>;
    const result: undefined = await remove('ada', 42, { force: true });
    // @ts-expect-error the user is first
    await remove(42, 'ada');
    expect(result).to.equal(undefined);
    expect(sent[0]).to.deep.equal({ method: 'DELETE', url: '/affiliates/ada/keys/42?force=true', body: '' });
  });

  it('sends query and body together, without what has a default', async () => {
    const route = 'POST /search?+!';
    const search = createCall(
      connection(() => Response.json({ found: 3 }, { status: 202 })),
      'orders',
      route,
    ) as Call<Search, typeof route>;
    const { found } = await search({ event: ['a', 'b'] }, { text: 'x' }, { idempotencyKey: 'k' });
    await search(undefined, { text: 'y' });
    expect(found).to.equal(3);
    expect(sent).to.deep.equal([
      { method: 'POST', url: '/orders/search?event=a,b', body: '{"text":"x"}' },
      { method: 'POST', url: '/orders/search', body: '{"text":"y"}' },
    ]);
  });
});
