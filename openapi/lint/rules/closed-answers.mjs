import { contractRule, isOfType, reach } from '../contract.mjs';

export default contractRule(({ answerSchemas, requestSchemas }, report) => {
  for (const schema of answerSchemas) {
    if (isObject(schema) && !isClosed(schema) && !isMap(schema)) report(schema.target, open(schema));
  }
  // Each record is checked by itself: an unknown field refuses that record.
  const records = new Set(reach(requestSchemas.filter((schema) => schema.target.has('x-import-kind'))).map(addressOf));
  for (const schema of requestSchemas.filter((one) => !records.has(addressOf(one)))) {
    if (isClosed(schema)) report(schema.get('additionalProperties'), closed(schema));
  }
});

const addressOf = (schema) => schema.at.absolutePointer;
const isObject = (schema) => isOfType(schema, 'object') || schema.has('properties');
const isClosed = (schema) => schema.get('additionalProperties').value === false;

const isMap = (schema) => {
  const { value } = schema.get('additionalProperties');
  return !schema.has('properties') && (value === true || typeof value === 'object');
};

const titleOf = ({ component }) => (component.name ? `\`${component.name}\`` : 'An object');

const open = (schema) =>
  `${titleOf(schema)} is part of a response but open to undeclared fields. ` +
  'Add `additionalProperties: false`; a map has no `properties` and a schema or `true` there.';
const closed = (schema) =>
  `${titleOf(schema)} is part of a request body but closed. ` +
  'Remove `additionalProperties: false`: an unknown field is ignored, not refused.';
