import type { Handlers } from './contract-types.ts';
import type { Built } from './not-yet-built.ts';

/** Every operation that is served. Add a handler here and take its operationId out of not-yet-built.ts, in one step: neither compiles alone. */
export const handlers = {} satisfies Handlers<unknown, Built>;
