import { expect } from 'chai';
import { makePostgres } from '../support/postgres.ts';
import { TestClock, TestService } from '../support/service.ts';

describe('two servers on one PostgreSQL', () => {
  let nodes: [TestService, TestService];
  let clock: TestClock;
  beforeEach(async () => {
    clock = new TestClock();
    const databaseUrl = await makePostgres();
    nodes = [await TestService.start({ databaseUrl, clock }), await TestService.start({ databaseUrl, clock })];
  });
  afterEach(() => Promise.all(nodes.map((node) => node.stop())));

  const onBoth = async <Result>(count: number, call: (node: TestService) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => call(at % 2 === 0 ? nodes[0] : nodes[1])));

  it('share a limit of 120 requests for each key', async () => {
    const { headers } = await nodes[0].key(await nodes[0].user('one', 'customer'), ['read']);
    const statuses = (await onBoth(200, async (node) => (await node.client(headers)).get('/me'))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(120);
    expect(statuses.filter((status) => status === 429)).to.have.length(80);
  });

  it('count failed authentications together', async () => {
    const wrong = { Authorization: 'Bearer svc_wrong' };
    const codes = (await onBoth(40, async (node) => (await node.client(wrong)).get('/me'))).map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'svc_api_invalid_key')).to.have.length(20);
  });

  it('refuse a key from the moment it is revoked on the other', async () => {
    const boss = await nodes[0].user('boss', 'administrator');
    const { id, headers } = await nodes[0].key(boss, ['manage']);
    const admin = await nodes[0].client(await nodes[0].appPassword(boss));
    expect((await (await nodes[1].client(headers)).get('/me')).status).to.equal(200);
    await admin.call('DELETE', `/keys/${id}`);
    expect((await (await nodes[1].client(headers)).get('/me')).body.code).to.equal('svc_api_invalid_key');
  });

  it('share their sessions, and end them together', async () => {
    await nodes[0].user('boss', 'administrator', { password: 'correct horse battery' });
    const cookies = await nodes[0].signIn('boss', 'correct horse battery');
    const Cookie = `svc_session=${cookies['svc_session']}`;
    expect((await (await nodes[1].client({ Cookie })).get('/me')).status).to.equal(200);
    const body = new URLSearchParams({ token: cookies['svc_csrf'] ?? '' });
    await fetch(`${nodes[1].origin}/sign-out`, { method: 'POST', body, headers: { Cookie }, redirect: 'manual' });
    expect((await (await nodes[0].client({ Cookie })).get('/me')).status).to.equal(401);
  });

  it('apply a setting that the other changed within a second', async () => {
    await nodes[1].withoutLimits();
    const client = await nodes[1].client();
    expect((await client.get('/me')).status).to.equal(401);
    await nodes[0].settings.set('switches.get_me', false);
    const deadline = performance.now() + 1000;
    let status = 401;
    while (status !== 404 && performance.now() < deadline) ({ status } = await client.get('/me'));
    // A request after that second sees it, however long the last response took.
    if (status !== 404) ({ status } = await client.get('/me'));
    expect(status).to.equal(404);
  });
});
