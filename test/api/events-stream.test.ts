import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { disableUser } from '../../domain/users/disable.ts';
import type { User } from '../../domain/users/user.ts';
import type { EventKind } from '../../generated/events.ts';
import { streamLimits } from '../../server/streams/event-streams.ts';
import { waitUntil } from '../cli/running-service.ts';
import { newEvent } from '../db/samples.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { testService } from '../support/service.ts';
import { StreamReader, type StreamRequest } from '../support/stream-reader.ts';

const addOn = { settings: { 'addons.agents': true } };

function streamFixture(engine: Engine, options: Parameters<typeof testService>[1] = addOn) {
  const fixture = testService(engine, options);
  const { service, administrator } = fixture;
  const key = testFixture(() => service.key(administrator, ['read']));
  const readers: StreamReader[] = [];
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  const open = async (request: StreamRequest = {}): Promise<StreamReader> => {
    const reader = await StreamReader.open(service.origin, { headers: key.headers, ...request });
    readers.push(reader);
    return reader;
  };
  /** Each in a transaction of its own. */
  const record = async (...kinds: EventKind[]): Promise<void> => {
    for (const kind of kinds) await service.storage.write(({ events }) => events.record(newEvent({ kind })));
  };
  const feed = async (query = ''): Promise<{ id: number; event: string }[]> =>
    (await (await service.client(key.headers)).get(`/events?after=0&per_page=100${query}`)).body;
  return { ...fixture, key, open, record, feed };
}

type Fixture = ReturnType<typeof streamFixture>;

/** How a manager opens a stream, and what withdraws that. */
interface Withdrawal {
  open(fixture: Fixture, user: User): Promise<Record<string, string>>;
  withdraw(fixture: Fixture, user: User): Promise<unknown>;
}

const password = 'correct horse battery';
const openByKey: Withdrawal['open'] = async ({ service }, user) => (await service.key(user, ['read'])).headers;

const withdrawals: Record<string, Withdrawal> = {
  'its key is revoked': {
    open: openByKey,
    withdraw: ({ service, clock }, { id: userId }) =>
      service.storage.write(async ({ keys }) => {
        const { items } = await keys.page({ userId, today: '2026-11-02' }, { page: 1, perPage: 1 });
        for (const { id } of items) await keys.revoke(id, clock.now());
      }),
  },
  'its key expires': {
    open: async ({ service }, user) => (await service.key(user, ['read'], '2026-11-02')).headers,
    withdraw: async ({ clock }) => clock.advance(300),
  },
  'its application password is revoked': {
    open: ({ service }, user) => service.appPassword(user),
    withdraw: ({ service }, user) =>
      service.storage.write(async ({ appPasswords }) => {
        for (const { id } of await appPasswords.ofUser(user.id)) await appPasswords.remove(id);
      }),
  },
  'its session is ended': {
    open: ({ service }, { login }) => service.session(login, password),
    withdraw: ({ service }, { id }) => service.storage.write(({ sessions }) => sessions.removeOf(id)),
  },
  'its session expires': {
    open: async ({ service, clock }, { login }) => {
      const headers = await service.session(login, password);
      clock.advance(12 * 3600 - 60);
      return headers;
    },
    withdraw: async ({ clock }) => clock.advance(60),
  },
  'its user is disabled': {
    open: openByKey,
    withdraw: ({ service, clock }, user) =>
      service.storage.write((transaction) => disableUser(transaction, user, { now: clock.now(), userId: 0 })),
  },
  'its user loses the role': {
    open: openByKey,
    withdraw: ({ service }, { id, login, email, displayName, registeredAt }) =>
      service.storage.write(({ userRecords }) =>
        userRecords.change(id, {
          login,
          email,
          displayName,
          registeredAt,
          role: 'affiliate',
          profile: {},
          groups: [],
          customFields: {},
        }),
      ),
  },
};

onAnyEngine((engine) => {
  describe('GET /events/stream ends within a second', () => {
    const fixture = streamFixture(engine, { ...addOn, now: '2026-11-02T23:55:00Z' });
    for (const [when, { open, withdraw }] of Object.entries(withdrawals))
      it(`when ${when}, and streams of others do not`, async () => {
        const user = await fixture.service.user('max', 'manager', { password });
        const reader = await (await fixture.open({ headers: await open(fixture, user) })).begun();
        const other = await (await fixture.open({ headers: await fixture.service.appPassword(fixture.administrator) })).begun();
        expect([reader.status, other.status]).to.deep.equal([200, 200]);
        await withdraw(fixture, user);
        await reader.over(1000);
        expect(other.isOver).to.equal(false);
      });
  });

  describe('GET /events/stream', () => {
    const { service, administrator, clock, key, open, record, feed } = streamFixture(engine);

    it('sends the records of GET /events, with the cursor as id and the kind as event', async () => {
      const reader = await open({ query: '?cursor=0' });
      await record('referral', 'commission_added', 'payout_paid');
      const all = await feed();
      const events = await reader.received(all.length);
      expect(events).to.deep.equal(all.map((event) => ({ id: event.id, event: event.event, data: event })));
    });

    it('has headers that keep proxies from buffering and compressing it, and says after which time to reconnect', async () => {
      const reader = await (await open({ headers: { ...key.headers, 'Accept-Encoding': 'gzip, br' } })).begun();
      expect(reader.status).to.equal(200);
      expect(reader.headers).to.include({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
      expect(reader.headers).to.have.property('ratelimit');
      expect(reader.headers).not.to.have.property('content-encoding');
      expect(reader.retry).to.equal(3000);
    });

    it('begins with new events without a cursor, and says where it begins, so that a reader that lost it before the first event misses none', async () => {
      await record('referral', 'referral');
      const { length: newest } = await feed();
      const first = await (await open()).begun();
      expect([first.lastEventId, first.events]).to.deep.equal([String(newest), []]);
      first.close();
      await record('payout_paid');
      const second = await open({ headers: { ...key.headers, 'Last-Event-ID': first.lastEventId } });
      expect((await second.received(1))[0]).to.include({ id: newest + 1, event: 'payout_paid' });
    });

    it('continues after Last-Event-ID, which wins over the cursor of the address', async () => {
      await record(...Array.from({ length: 250 }, (): EventKind => 'referral'));
      const reader = await open({ query: '?cursor=0', headers: { ...key.headers, 'Last-Event-ID': '20' } });
      const { length } = await reader.received(230);
      expect(reader.ids.slice(0, length)).to.deep.equal(Array.from({ length }, (_, at) => at + 21));
    });

    it('sends only the kinds and the actor that were asked for, and refuses what GET /events refuses', async () => {
      const [ofKind, ofActor] = [
        await open({ query: '?cursor=0&event=payout_paid,referral' }),
        await open({ query: '?cursor=0&user_id=7' }),
      ];
      await record('commission_added', 'referral', 'payout_paid', 'commission_removed');
      await service.storage.write(({ events }) => events.record(newEvent({ kind: 'referral', userId: 7 })));
      await service.storage.write(({ events }) => events.record(newEvent({ kind: 'payout_paid', userId: 8 })));
      const expected = await feed('&event=payout_paid,referral');
      expect(expected).to.have.length(4);
      expect((await ofKind.received(4)).map(({ data }) => data)).to.deep.equal(expected);
      expect((await ofActor.received(1)).map(({ data }) => data)).to.deep.equal(await feed('&user_id=7'));
      for (const [query, parameter] of [
        ['?event=nonsense', 'event'],
        ['?cursor=-1', 'cursor'],
        ['?user_id=x', 'user_id'],
      ] as const) {
        const { code, data } = await (await open({ query })).body();
        expect([code, Object.keys(data.params)]).to.deep.equal(['rest_invalid_param', [parameter]]);
      }
      expect(await (await open({ headers: { ...key.headers, 'Last-Event-ID': 'x' } })).body()).to.include({ code: 'rest_invalid_param' });
    });

    it('answers HEAD with the headers of GET, and holds no place', async () => {
      const client = await service.client(key.headers);
      for (let times = 0; times <= streamLimits.perIdentity; times += 1) {
        const { status, headers } = await client.call('HEAD', '/events/stream');
        expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/event-stream; charset=utf-8']);
      }
      expect((await open()).status).to.equal(200);
    });

    it('is 404 while the add-on agents is inactive or the operation is switched off, and 400 while the activity log is off', async () => {
      await service.settings.set('switches.get_events_stream', false);
      expect(await (await open()).body()).to.include({ code: 'rest_no_route' });
      await service.settings.unset('switches.get_events_stream');
      await service.settings.set('activity_log', false);
      expect(await (await open()).body()).to.include({ code: 'svc_api_log_disabled' });
      await service.settings.set('addons.agents', false);
      expect(await (await open()).body()).to.include({ code: 'rest_no_route' });
    });

    it('is for admins with the scope read, and counts against the rate limit once', async () => {
      const affiliate = await service.user('ann', 'affiliate');
      const manager = await service.user('max', 'manager');
      const statusOf = async (headers: Record<string, string>): Promise<number> => (await open({ headers })).status;
      expect(await statusOf({})).to.equal(401);
      expect(await statusOf((await service.key(affiliate, ['read'])).headers)).to.equal(403);
      expect(await statusOf((await service.key(administrator, ['write'])).headers)).to.equal(403);
      expect(await statusOf((await service.key(manager, ['read'])).headers)).to.equal(200);
      expect(await statusOf(await service.appPassword(administrator))).to.equal(200);
      const { headers } = await open();
      const { headers: next } = await (await service.client(key.headers)).get('/me');
      const left = (text: unknown): number => Number(/r=(\d+)/.exec(String(text))?.[1]);
      expect(left(headers['ratelimit']) - left(next.get('RateLimit'))).to.equal(1);
    });

    it('refuses more streams of an identity than it may have with 429, until one is closed', async () => {
      const streams = [await open(), await open(), await open()];
      const refused = await open();
      expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '60']);
      expect(await refused.body()).to.include({ code: 'svc_api_too_many_streams' });
      const other = await service.key(administrator, ['read']);
      expect((await open({ headers: other.headers })).status).to.equal(200);
      streams[0]?.close();
      for (let last = await open(); last.status !== 200; last = await open()) await last.over();
    });

    it('holds no place for readers that are gone before it begins, or that wait behind another on their connection', async () => {
      const { port, hostname } = new URL(service.origin);
      const asked = ({ Authorization }: Record<string, string>): string =>
        `GET /api/v2/events/stream HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${Authorization}\r\n\r\n`;
      for (let count = 0; count < 2 * streamLimits.perIdentity; count += 1) {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        await new Promise((resolve) => socket.write(asked(key.headers), resolve));
        socket.destroy();
      }
      const other = await service.key(administrator, ['read']);
      const socket = connect(Number(port), hostname);
      socket.write(asked(other.headers) + asked(key.headers).repeat(streamLimits.perIdentity));
      await once(socket, 'data');
      await pause(300);
      socket.destroy();
      await waitUntil(5000, async () => {
        const reader = await open();
        reader.close();
        return reader.status === 200;
      });
    });

    it('sends a comment every 15 seconds, and ends after 15 minutes', async () => {
      const reader = await (await open()).begun();
      clock.advance(14);
      await record('referral');
      await reader.received(1);
      expect(reader.comments).to.equal(0);
      clock.advance(1);
      await untilComments(reader, 1);
      clock.advance(15);
      await untilComments(reader, 2);
      clock.advance(869);
      await untilComments(reader, 3);
      expect(reader.isOver).to.equal(false);
      clock.advance(1);
      await reader.over();
    });

    it('ends within a second of a change of the settings, and may be continued under the new ones', async () => {
      const reader = await (await open()).begun();
      await service.settings.set('edition', 'free');
      await reader.over(1000);
      await record('payout_paid', 'referral');
      const [first] = await (await open({ headers: { ...key.headers, 'Last-Event-ID': reader.lastEventId } })).received(1);
      expect(first?.event).to.equal('referral');
    });

    it('closes a reader that is more than 1 MiB behind, which continues after its last event', async () => {
      const slow = await open({ isPaused: true });
      const info = 'x'.repeat(50_000);
      const write = () =>
        service.storage.write(async ({ events }) => {
          for (let count = 0; count < 20; count += 1) await events.record(newEvent({ info }));
        });
      // The operating system buffers some megabytes.
      for (let times = 0; times < 40 && !slow.isOver; times += 1) await write();
      slow.resume();
      await slow.over();
      const { length: missed } = await feed();
      expect(missed).to.be.above(0);
      const last = slow.ids.at(-1) ?? 0;
      expect(slow.ids).to.deep.equal(slow.ids.map((_, at) => (slow.ids[0] ?? 0) + at));
      const total = await service.storage.query(({ events }) => events.lastId());
      expect(last).to.be.below(total);
      const rest = await open({ headers: { ...key.headers, 'Last-Event-ID': String(last) } });
      await rest.received(total - last);
      expect(rest.ids).to.deep.equal(Array.from({ length: total - last }, (_, at) => last + 1 + at));
    });

    it('frees its place within a second when it is ended, also if the reader stalls', async () => {
      const info = 'x'.repeat(50_000);
      await service.storage.write(async ({ events }) => {
        for (let count = 0; count < 200; count += 1) await events.record(newEvent({ info }));
      });
      const places = Array.from({ length: streamLimits.perIdentity }, (_, at) => at);
      const stalled = await Promise.all(places.map(() => open({ query: '?cursor=0', isPaused: true })));
      expect((await open()).status).to.equal(429);
      await service.settings.set('commission.percent', 11);
      await waitUntil(2000, async () => (await open()).status === 200);
      for (const reader of stalled) {
        reader.resume();
        await reader.over(2000);
        expect(reader.events.length).to.be.below(200);
      }
    });

    it('ends with the service, which waits for no stream', async () => {
      const reader = await (await open()).begun();
      await service.stop();
      await reader.over();
    });
  });
});

async function untilComments(reader: StreamReader, count: number): Promise<void> {
  for (const deadline = performance.now() + 5000; reader.comments < count; await new Promise((resolve) => setTimeout(resolve, 20)))
    if (performance.now() > deadline) throw new Error(`There were ${reader.comments} comments.`);
  expect(reader.comments).to.equal(count);
}
