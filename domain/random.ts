import { randomBytes, randomInt } from 'node:crypto';
import { ApiError } from './errors.ts';

/** Source of secrets. A failing source throws: a weak secret is never generated instead. */
export interface SecureRandom {
  bytes(length: number): Buffer;
  /** A whole number from 0 up to, not including, the limit; every one as likely. */
  below(limit: number): number;
}

function orNoEntropy<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new ApiError('svc_api_no_entropy', { log: String(error) });
  }
}

export const systemRandom: SecureRandom = {
  bytes: (length) => orNoEntropy(() => randomBytes(length)),
  below: (limit) => orNoEntropy(() => randomInt(limit)),
};
