import type { Engine } from './engines.ts';
import { type StartOptions, startService, TestClock } from './service.ts';

/** Creates an object before the tests of the suite. The constant stands for it: every access is passed on to the created object. */
export const suiteFixture = <Created extends object>(create: () => Promise<Created>): Created => createFixture(before, create);

/** The same with a new object for each test. */
export const testFixture = <Created extends object>(create: () => Promise<Created>): Created => createFixture(beforeEach, create);

function createFixture<Created extends object>(hook: typeof before, create: () => Promise<Created>): Created {
  let created: Created | undefined;
  hook(async () => {
    created = await create();
  });
  const current = (): Created => {
    if (!created) throw new Error('The fixture is created before the tests: use it inside of them, or in a hook after it.');
    return created;
  };
  return new Proxy({} as Created, {
    get(_, name) {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  });
}

interface ServiceFixtureOptions extends StartOptions {
  /** What the clock says at the start. */
  now?: string;
}

function serviceFixture(fixture: typeof suiteFixture, engine: Engine, { now, ...options }: ServiceFixtureOptions = {}) {
  const clock = fixture(async () => new TestClock(now === undefined ? undefined : Date.parse(now)));
  const service = fixture(() => startService(engine, { clock, ...options }));
  const administrator = fixture(() => service.user('administrator', 'administrator'));
  const admin = fixture(() => service.clientOf(administrator));
  return { service, clock, administrator, admin };
}

/** A service for the suite, on a fresh database by default, and a client of an administrator. */
export const suiteService = (engine: Engine, options?: ServiceFixtureOptions) => serviceFixture(suiteFixture, engine, options);

/** The same with a new service for each test. */
export const testService = (engine: Engine, options?: ServiceFixtureOptions) => serviceFixture(testFixture, engine, options);
