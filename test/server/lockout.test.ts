import { expect } from 'chai';
import { MemoryWindowCounters } from '../../db/engine/sqlite/memory-counters.ts';
import { ApiError } from '../../domain/errors.ts';
import { Lockout } from '../../server/auth/lockout.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { TestClock } from '../support/service.ts';

const { settings } = buildSettings({ 'lockout.max_failures': 3, 'lockout.window_minutes': 10 });
const never = buildSettings({ 'lockout.max_failures': 0 }).settings;

describe('Lockout', () => {
  let clock: TestClock;
  let lockout: Lockout;
  beforeEach(() => {
    clock = new TestClock();
    lockout = new Lockout(new MemoryWindowCounters(clock));
  });
  const fail = async (times: number, address = '192.0.2.7'): Promise<(string | null)[]> => {
    const answers = [];
    for (let at = 0; at < times; at += 1) answers.push((await lockout.recordFailure(address, settings))?.code ?? null);
    return answers;
  };
  const isLockedOut = async (address = '192.0.2.7'): Promise<boolean> => (await lockout.check(address, settings)) !== null;

  it('reports as many failures as the limit allows, and locks out the next ones', async () => {
    expect(await fail(4)).to.deep.equal([null, null, null, 'svc_api_too_many_auth_failures']);
    expect((await lockout.recordFailure('192.0.2.7', settings))?.details).to.deep.equal({ data: { retry_after: 600 } });
  });

  it('locks the address out from the failure that reaches the limit until the window is over', async () => {
    await fail(2);
    expect(await isLockedOut()).to.equal(false);
    clock.advance(1);
    await fail(1);
    const error = await lockout.check('192.0.2.7', settings);
    expect(error)
      .to.be.instanceOf(ApiError)
      .and.deep.include({ code: 'svc_api_too_many_auth_failures', details: { data: { retry_after: 599 } } });
    clock.advance(598);
    expect(await isLockedOut()).to.equal(true);
    clock.advance(1);
    expect(await isLockedOut()).to.equal(false);
  });

  it('locks out that address alone, or the /64 network of an IPv6 address', async () => {
    await fail(3, '2001:db8:1:2::1');
    expect(await isLockedOut('2001:db8:1:2:ffff::9')).to.equal(true);
    expect(await isLockedOut('2001:db8:1:3::1')).to.equal(false);
    expect(await isLockedOut()).to.equal(false);
  });

  it('locks out a /48 network after ten times as many failures, of which each /64 can cause three', async () => {
    for (let at = 0; at < 9; at += 1) await fail(20, `2001:db8:1:${at}::1`);
    expect(await isLockedOut('2001:db8:1:ffff::1')).to.equal(false);
    expect(await fail(3, '2001:db8:1:a::1')).to.deep.equal([null, null, null]);
    expect(await isLockedOut('2001:db8:1:ffff::1')).to.equal(true);
    expect(await fail(1, '2001:db8:1:ffff::1')).to.deep.equal(['svc_api_too_many_auth_failures']);
    expect(await isLockedOut('2001:db8:2:ffff::1')).to.equal(false);
    clock.advance(600);
    expect(await isLockedOut('2001:db8:1:ffff::1')).to.equal(false);
  });

  it('undoes one failure for each successful attempt', async () => {
    for (let at = 0; at < 3; at += 1) await lockout.recordFailure('192.0.2.7', settings);
    expect(await isLockedOut()).to.equal(true);
    clock.advance(599);
    await lockout.undoFailure('192.0.2.7', settings);
    expect(await isLockedOut()).to.equal(false);
    expect(await fail(2)).to.deep.equal([null, 'svc_api_too_many_auth_failures']);
  });

  it('undoes a failure also where the first one locks out', async () => {
    const strict = buildSettings({ 'lockout.max_failures': 1 }).settings;
    expect(await lockout.recordFailure('192.0.2.7', strict)).to.equal(null);
    await lockout.undoFailure('192.0.2.7', strict);
    expect(await lockout.check('192.0.2.7', strict)).to.equal(null);
  });

  it('is switched off by a limit of 0', async () => {
    for (let at = 0; at < 5; at += 1) expect(await lockout.recordFailure('192.0.2.7', never)).to.equal(null);
    expect(await lockout.check('192.0.2.7', never)).to.equal(null);
    await lockout.undoFailure('192.0.2.7', never);
    expect(await isLockedOut()).to.equal(false);
  });
});
