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
