import { contractRule } from '../contract.mjs';

export default contractRule(({ operations }, report) => {
  for (const { name, method, place } of operations) {
    const declared = place.get('x-dry-run');
    const wrong = wrongDryRun(declared.value, method);
    if (wrong) report(declared.exists ? declared : place, `\`x-dry-run\` of \`${name}\` ${wrong}`);
  }
});

function wrongDryRun(value, method) {
  if (method === 'get') return value === undefined ? undefined : 'means nothing: a GET saves nothing. Remove it.';
  return typeof value === 'boolean' ? undefined : 'is missing. Set it to true, or to false if it cannot be tried without an effect.';
}
