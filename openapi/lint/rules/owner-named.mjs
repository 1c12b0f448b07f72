import { bodyPropertyOf, contractRule, hasExactly, jsonSchemaOf } from '../contract.mjs';

const ownerLevels = new Set(['owner', 'upline', 'self']);
const records = ['affiliate', 'coupon', 'adjustment', 'payout'];
const fields = ['record', 'in', 'name', 'required_code'];

export default contractRule(({ operations }, report) => {
  for (const operation of operations) {
    const owner = operation.place.get('x-owner');
    const levels = [operation.place.get('x-access').list, ...operation.place.get('x-access-when').list.map((row) => row?.access)].flat();
    const level = levels.find((name) => ownerLevels.has(name));
    const wrong = owner.exists ? wrongOwner(operation, owner.value ?? {}, level) : missingOwner(operation, level);
    if (wrong) report(owner.exists ? owner : operation.place, `\`x-owner\` of \`${operation.name}\` ${wrong}`);
  }
});

function missingOwner(operation, level) {
  if (level) return `is missing, but \`${level}\` needs it. Add \`x-owner: { record, in, name }\`.`;
  const isForEveryUser = operation.place.get('x-access').list.includes('user');
  return isForEveryUser && findParameter(operation, { in: 'query', name: 'user_id' })
    ? 'is missing, so `user_id` would show every user the records of every other. Add `x-owner: { record, in: rows }`.'
    : undefined;
}

function wrongOwner(operation, owner, level) {
  const unknown = Object.keys(owner).find((field) => !fields.includes(field));
  if (unknown) return `has \`${unknown}\`, which means nothing. Use only ${fields.join(', ')}.`;
  if (!records.includes(owner.record)) return `names the record \`${owner.record}\`. Use ${records.join(', ')}.`;
  if (owner.in === 'rows')
    return hasExactly(owner, ['record', 'in']) ? undefined : 'is `in: rows`, which reads no parameter. Leave only `record`.';
  if (!level) return 'has no level to decide about. Remove it, add owner, upline or self to `x-access`, or make it `in: rows`.';
  const parameter = findParameter(operation, owner);
  if (!parameter?.exists) return `names \`${owner.name}\` in ${owner.in}, where there is none. Name a parameter in path, query or body.`;
  return wrongRecord(operation, owner) ?? wrongRequiredCode(operation, owner);
}

/** `/coupons/{id}` names a coupon. */
function wrongRecord({ path }, { record, in: where, name }) {
  const [, resource = ''] = where === 'path' ? (new RegExp(`([^/]+)/\\{${name}\\}`).exec(path) ?? []) : [];
  return resource && resource !== `${record}s`
    ? `decides about the ${record} with that id, but \`${name}\` is one of /${resource}. Name the record of the path.`
    : undefined;
}

const findParameter = (operation, { in: where, name }) =>
  where === 'body' ? bodyPropertyOf(operation, name) : operation.parameters.find(({ value }) => value.in === where && value.name === name);

function wrongRequiredCode(operation, owner) {
  const { name, required_code: code } = owner;
  if (isRequired(operation, owner)) return code && `has \`required_code\`, but \`${name}\` is always given. Remove it.`;
  const declared = Object.values(operation.place.get('x-error-codes').value ?? {}).flat();
  if (!code) return `does not say what happens when a caller who is no admin leaves \`${name}\` out. Add \`required_code: svc_api_…\`.`;
  return declared.includes(code) ? undefined : `raises \`${code}\`, which the operation does not declare. Add it to \`x-error-codes\`.`;
}

const isRequired = (operation, owner) =>
  owner.in === 'body'
    ? jsonSchemaOf(operation.body).get('required').list.includes(owner.name)
    : findParameter(operation, owner).value.required === true;
