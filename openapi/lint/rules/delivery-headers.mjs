import { contractRule } from '../contract.mjs';

/** The headers of every delivery by the file of the parameter: three of this API, and three of Standard Webhooks. */
const headers = {
  DeliveryEvent: 'X-Svc-Event',
  DeliveryNumber: 'X-Svc-Delivery',
  DeliverySignature: 'X-Svc-Signature',
  StandardWebhookId: 'webhook-id',
  StandardWebhookTimestamp: 'webhook-timestamp',
  StandardWebhookSignature: 'webhook-signature',
};

export default contractRule(({ webhooks }, report) => {
  for (const { event, place, parameters } of webhooks) {
    const declared = parameters.filter(({ value }) => value.in === 'header').map(({ value }) => value.name);
    for (const [file, name] of Object.entries(headers).filter(([, header]) => !declared.includes(header))) {
      const remedy = `Add \`- $ref: ../components/parameters/${file}.yaml\` to its parameters.`;
      report(place, `The webhook ${event} does not show the header ${name}, which every delivery carries. ${remedy}`);
    }
  }
});
