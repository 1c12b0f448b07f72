import { contractRule, hasExactly } from '../contract.mjs';

const loneLevels = new Set(['public', 'user']);
const scopes = ['none', 'read', 'write', 'manage'];
const confirmationCode = 'svc_api_confirm_password';
const settingsPath = /^[a-z_]+(\.[a-z_]+)*$/;

export default contractRule(({ root, operations }, report) => {
  const levels = root.get('x-access-levels').keys;
  for (const { name, place } of operations) {
    const check = (field, wrong) => {
      const found = place.get(field);
      if (wrong) report(found.exists ? found : place, `\`${field}\` of \`${name}\` ${wrong}`);
    };
    const access = place.get('x-access').value;
    check('x-access', wrongAccess(access, levels));
    check('x-scope', wrongScope(place.get('x-scope').value, access));
    check('x-access-when', wrongCondition(place.get('x-access-when').value, levels));
    check('x-confirm-password', wrongConfirmation(place, access));
  }
});

function wrongAccess(access, levels) {
  if (!Array.isArray(access) || access.length === 0) return `does not say who may call. Make it a list of ${levels.join(', ')}.`;
  const unknown = access.find((level) => !levels.includes(level));
  if (unknown !== undefined) return `names \`${unknown}\`, which is no access level. Use ${levels.join(', ')}.`;
  if (new Set(access).size < access.length) return 'names a level twice. Name each once.';
  const lone = access.length > 1 && access.find((level) => loneLevels.has(level));
  return lone ? `joins \`${lone}\`, which includes the others. Let \`${lone}\` stand alone, or remove it.` : undefined;
}

function wrongScope(scope, access) {
  if (!scopes.includes(scope)) return `is ${scope ?? 'missing'}. Set it to one of ${scopes.join(', ')}.`;
  const isPublic = Array.isArray(access) && access.includes('public');
  return isPublic && scope !== 'none' ? `is \`${scope}\`, but callers of a public operation have no key. Set it to \`none\`.` : undefined;
}

function wrongCondition(rows, levels) {
  if (rows === undefined) return undefined;
  if (!Array.isArray(rows) || rows.length === 0) return 'is no list. Write `[{ setting, equals, access }]`.';
  for (const row of rows) {
    if (!hasExactly(row, ['setting', 'equals', 'access'])) return 'has a row of another shape. Write `{ setting, equals, access }`.';
    if (!settingsPath.test(row.setting)) return `names the setting \`${row.setting}\`. Give a settings path such as \`openapi_public\`.`;
    const wrong = wrongAccess(row.access, levels);
    if (wrong) return wrong;
  }
  return undefined;
}

/** The field and its error code go together. */
function wrongConfirmation(place, access) {
  const isNeeded = place.has('x-confirm-password');
  const isDeclared = place.get('x-error-codes').get('403').list.includes(confirmationCode);
  if (isNeeded && Array.isArray(access) && access.includes('public')) return 'asks callers who have no session. Remove it.';
  if (isNeeded === isDeclared) return undefined;
  return isNeeded
    ? `raises \`${confirmationCode}\`, which is not declared. Add it to \`x-error-codes\` under '403'.`
    : `is missing, but \`${confirmationCode}\` is declared. Add \`x-confirm-password: true\`, or remove the code.`;
}
