import { contractRule } from '../contract.mjs';

const schemes = { bearerApiKey: 'bearer', basicAppPassword: 'basic' };
const identified = Object.keys(schemes).map((name) => ({ [name]: [] }));
const anonymous = {};

export default contractRule(({ root, operations }, report) => {
  for (const { name, place } of operations) {
    const isPublic = String(place.get('x-access').value) === 'public';
    const expected = isPublic ? [...identified, anonymous] : identified;
    const security = place.get('security');
    if (same(security.value, expected)) continue;
    const because = isPublic ? 'It is public, so it also takes `{}`, no credentials at all.' : 'Only a public operation takes `{}`.';
    const where = security.exists ? security : place;
    report(
      where,
      `\`${name}\` does not have the security alternatives of its access. Write \`security: ${written(expected)}\`. ${because}`,
    );
  }
  checkSchemes(root, report);
});

const same = (found, expected) => Array.isArray(found) && asText(found) === asText(expected);
const asText = (alternatives) =>
  alternatives
    .map((alternative) => JSON.stringify(alternative))
    .toSorted()
    .join();
const written = (alternatives) => JSON.stringify(alternatives).replaceAll('"', '').replaceAll(',', ', ').replaceAll(':', ': ');

function checkSchemes(root, report) {
  const declared = root.get('components').get('securitySchemes');
  for (const [name, scheme] of Object.entries(schemes)) {
    const found = declared.get(name);
    if (found.value?.type === 'http' && found.value.scheme === scheme) continue;
    const where = found.exists ? found : declared;
    report(where, `The security scheme \`${name}\` is missing or of another kind. Declare it with \`type: http, scheme: ${scheme}\`.`);
  }
  for (const [name, place] of declared.entries.filter(([name]) => !Object.hasOwn(schemes, name))) {
    report(place, `The security scheme \`${name}\` is not one of the two. Remove it; callers use ${Object.keys(schemes).join(' or ')}.`);
  }
}
