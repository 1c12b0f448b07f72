import { contractRule } from '../contract.mjs';

// Times have no offset here, so they are not of format `date-time`; `date` accepts 2026-02-30 in some validators.
const insteadOf = {
  'date-time': 'LocalDateTime (store time, in answers) or UtcDateTime (in webhook deliveries)',
  date: 'Day',
};

export default contractRule(({ schemas }, report) => {
  for (const schema of schemas) {
    const format = schema.get('format');
    if (!Object.hasOwn(insteadOf, format.value ?? '')) continue;
    report(format, `\`format: ${format.value}\` is not used in this contract. Refer to the schema ${insteadOf[format.value]} instead.`);
  }
});
