import { contractRule, isError } from '../contract.mjs';

const errorCode = /^(svc_api|rest)_[a-z]+(_[a-z]+)*$/;
const expected = 'Write codes such as svc_api_conflict or rest_invalid_param.';

export default contractRule(({ operations }, report) => {
  for (const operation of operations) {
    const declared = new Set();
    const errors = operation.responses.entries.filter(([status]) => isError(status));
    for (const [status, response] of errors) checkShared(status, response, declared, report);
    const own = operation.place.get('x-error-codes');
    const isEmpty = own.exists && own.keys.length === 0;
    if (isEmpty) report(own, `\`x-error-codes\` of \`${operation.name}\` maps no status to codes. Write \`'409': [ … ]\`, or remove it.`);
    for (const [status, codes] of own.entries) checkOwn(operation, status, codes, declared, report);
  }
});

function checkShared(status, response, declared, report) {
  const codes = response.get('x-error-codes');
  const title = response.component.name ?? `the ${status} response`;
  const wrong = wrongCodes(codes.value);
  if (wrong) return report(codes.exists ? codes : response.target, `\`x-error-codes\` of ${title} ${wrong}`);
  for (const code of codes.value) {
    if (declared.has(code))
      report(codes, `\`${code}\` of ${title} is also a code of another response. A code has one status; declare it once.`);
    declared.add(code);
  }
}

function checkOwn({ name, responses }, status, codes, declared, report) {
  const say = (message) => report(codes, `\`x-error-codes\` of \`${name}\` ${message}`);
  if (!responses.has(status)) say(`names the status ${status}, which is not among its responses. Add the response, or correct the status.`);
  else if (!isError(status)) say(`names the status ${status}, which is no error. Remove it.`);
  const wrong = wrongCodes(codes.value);
  if (wrong) return say(wrong);
  for (const code of codes.value) {
    if (declared.has(code)) say(`names \`${code}\` twice, here and under another status or in a shared response. Remove it here.`);
    declared.add(code);
  }
}

function wrongCodes(codes) {
  if (!Array.isArray(codes) || codes.length === 0) return `is no list of codes. ${expected}`;
  const stray = codes.find((code) => !errorCode.test(code));
  return stray === undefined ? undefined : `has \`${stray}\`, which has neither prefix. ${expected}`;
}
