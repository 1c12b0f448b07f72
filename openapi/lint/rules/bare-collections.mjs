import { contractRule, isError, isOfType, jsonSchemaOf } from '../contract.mjs';

export default contractRule(({ operations }, report) => {
  for (const { name, responses } of operations) {
    for (const [status, response] of responses.entries.filter(([status]) => !isError(status))) {
      const properties = jsonSchemaOf(response).get('properties');
      const [key] = properties.keys;
      if (properties.keys.length !== 1 || !isOfType(properties.get(key), 'array')) continue;
      report(
        jsonSchemaOf(response),
        `The ${status} of \`${name}\` wraps a list in an object with nothing but \`${key}\`. ` +
          'Answer the bare array, `type: array`: totals are in headers.',
      );
    }
  }
});
