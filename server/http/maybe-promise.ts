/** What is known now, or will be. */
export type Soon<Value> = Value | Promise<Value>;

/**
 * Goes on with a value at once where it is known. Of a request that is answered from memory, nine of ten steps have nothing to wait for;
 * a promise for each would cost as much as all the rest.
 */
export const soon = <Given, Result>(value: Soon<Given>, goOn: (given: Given) => Soon<Result>): Soon<Result> =>
  value instanceof Promise ? value.then(goOn) : goOn(value);
