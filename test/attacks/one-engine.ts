import { type Engine, forEachEngine } from '../support/engines.ts';

/** For what happens before any database is asked: once is enough. */
export const onOneEngine = (describeTests: (engine: Engine) => void): void =>
  forEachEngine((engine) => {
    if (engine.name === 'sqlite') describeTests(engine);
  });
