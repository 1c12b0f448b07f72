import { expect } from 'chai';
import { paginate } from '../../scripts/mock/responses.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { type RunningMock, startMock } from '../support/mock-server.ts';

interface Row {
  id: number;
}

describe('a list from the mock', () => {
  let client: ContractClient;
  let mock: RunningMock;
  before(async () => {
    mock = await startMock();
    ({ client } = mock);
  });
  after(() => mock.stop());

  const numbers = (headers: Headers, ...names: string[]) => names.map((name) => Number(headers.get(name)));

  it('is divided into pages, with the totals of the whole list', async () => {
    const { body: all } = await client.get<Row[]>('/events');
    const pages = await Promise.all([1, 2, 3, 4].map((page) => client.get<Row[]>(`/events?per_page=2&page=${page}`)));
    expect(pages.map(({ body }) => body.length)).to.deep.equal([2, 2, 1, 0]);
    expect(pages.flatMap(({ body }) => body)).to.deep.equal(all);
    for (const { headers } of pages) expect(numbers(headers, 'X-Svc-Total', 'X-Svc-TotalPages')).to.deep.equal([5, 3]);
    expect(pages.flatMap(({ headers }) => numbers(headers, 'X-Svc-Last-Event'))).to.deep.equal([1004, 1002, 1000, 1004]);
  });

  it('is divided into pages also if Prefer names the example', async () => {
    const { body, headers } = await client.get<Row[]>('/events?per_page=1', { headers: { Prefer: 'example=newest' } });
    expect([body.length, ...numbers(headers, 'X-Svc-Total')]).to.deep.equal([1, 5]);
  });

  it('of events ends for a client that follows the feed, with each event once, oldest first', async () => {
    const seen: number[] = [];
    let after = 0;
    for (let polls = 0; polls < 10; polls += 1) {
      const { body, headers } = await client.get<Row[]>(`/events?after=${after}&per_page=2&page=7`);
      const [cursor = NaN] = numbers(headers, 'X-Svc-Last-Event');
      expect(cursor).to.equal(body.at(-1)?.id ?? after);
      if (body.length === 0) break;
      seen.push(...body.map(({ id }) => id));
      after = cursor;
    }
    expect(seen).to.deep.equal([1000, 1001, 1002, 1003, 1004]);
    const { body, headers } = await client.get<Row[]>('/events?after=1004');
    expect([body, ...numbers(headers, 'X-Svc-Total', 'X-Svc-TotalPages', 'X-Svc-Last-Event')]).to.deep.equal([[], 0, 0, 1004]);
  });

  it('does not modify the example, and other bodies are not divided', () => {
    const rows = [{ id: 2 }, { id: 1 }];
    expect(paginate(rows, { after: 0 }).body).to.deep.equal([{ id: 1 }, { id: 2 }]);
    expect(rows).to.deep.equal([{ id: 2 }, { id: 1 }]);
    expect(paginate({ id: 2 }, { after: 5, page: 9 })).to.deep.equal({ body: { id: 2 }, headers: {} });
    expect(paginate([], {}).headers).to.deep.equal({ 'X-Svc-Total': 0, 'X-Svc-TotalPages': 0, 'X-Svc-Last-Event': 0 });
  });
});
