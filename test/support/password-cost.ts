import { passwordCost } from '../../domain/users/password.ts';

const ofProduction = passwordCost.N;

/** Hundreds of sign-ins of the tests would take a minute of CPU. */
export function lowerPasswordCost(): void {
  passwordCost.N = 2 ** 10;
}

/** For a suite that compares hashes with those of a process of its own, or needs sign-ins that take their time. */
export function withPasswordCostOfProduction(): void {
  const { N } = passwordCost;
  before(() => {
    passwordCost.N = ofProduction;
  });
  after(() => {
    passwordCost.N = N;
  });
}
