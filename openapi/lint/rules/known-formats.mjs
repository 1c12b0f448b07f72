import { fullFormats } from 'ajv-formats/dist/formats.js';
import { contractRule } from '../contract.mjs';

/** As server/contract/ajv.ts adds them. */
const ours = ['calendar-day', 'amount', 'percent', 'moment', 'login', 'email-address', 'single-line', 'website', 'visitor'];

export default contractRule(({ schemas }, report) => {
  for (const schema of schemas.filter((place) => place.has('format'))) {
    const format = schema.get('format');
    if (ours.includes(format.value) || Object.hasOwn(fullFormats, format.value)) continue;
    report(
      format,
      `The format \`${format.value}\` is unknown, so the service would not start. Use one of ${ours.join(', ')}, or a \`pattern\`.`,
    );
  }
});
