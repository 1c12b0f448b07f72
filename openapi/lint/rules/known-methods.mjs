import { contractRule, methods } from '../contract.mjs';

export default contractRule(({ operations }, report) => {
  for (const { method, path, place } of operations.filter((operation) => !methods.includes(operation.method))) {
    report(
      place,
      `${method.toUpperCase()} ${path} would never be called: the service answers HEAD as GET and OPTIONS by itself, and names only ` +
        `${methods.join(', ')} in \`Allow\` and to browsers. Use one of these.`,
    );
  }
});
