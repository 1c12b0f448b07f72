import { scryptSync } from 'node:crypto';
import { passwordCost } from '../../domain/users/password.ts';

const ofProduction = passwordCost.N;

/** Hundreds of sign-ins of the tests would take a minute of CPU. */
export function lowerPasswordCost(): void {
  passwordCost.N = 2 ** 10;
}

/** For a suite that compares hashes with those of a process of its own. */
export const withPasswordCostOfProduction = (): void => withPasswordCost(1);

/** For a suite that needs sign-ins that take some time: a share of the cost of production. */
export function withPasswordCost(share: number): void {
  const { N } = passwordCost;
  before(() => {
    passwordCost.N = ofProduction * share;
  });
  after(() => {
    passwordCost.N = N;
  });
}

/** As earlier versions stored it. */
export function formerHash(password: string): string {
  const salt = Buffer.from('a salt of bytes.');
  const key = scryptSync(password, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
  return ['scrypt', salt.toString('base64'), key.toString('base64')].join('$');
}
