import { fullFormats } from 'ajv-formats/dist/formats.js';
import { contractRule, reach } from '../contract.mjs';

/** As server/contract/ajv.ts adds them. */
const ours = ['calendar-day', 'amount', 'percent', 'moment', 'login', 'email-address', 'single-line', 'website', 'visitor'];

/** Such as `password`: the service would accept any text. */
const isEmpty = (format) => fullFormats[format] === true;

export default contractRule(({ schemas, requestSchemas, operations }, report) => {
  const parameters = operations.flatMap((operation) => operation.parameters).map((parameter) => parameter.get('schema'));
  for (const schema of [...requestSchemas, ...reach(parameters)].filter((place) => isEmpty(place.get('format').value))) {
    const format = schema.get('format');
    report(format, `Nothing checks the format \`${format.value}\` of a request. Remove it, or use a \`pattern\` instead.`);
  }
  for (const schema of schemas.filter((place) => place.has('format'))) {
    const format = schema.get('format');
    if (ours.includes(format.value) || Object.hasOwn(fullFormats, format.value)) continue;
    report(
      format,
      `The format \`${format.value}\` is unknown, so the service would not start. Use one of ${ours.join(', ')}, or a \`pattern\`.`,
    );
  }
});
