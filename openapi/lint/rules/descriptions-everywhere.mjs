import { contractRule } from '../contract.mjs';

// Redocly's parameter-description covers parameters.
export default contractRule(({ headers, schemas }, report) => {
  for (const header of headers.filter(lacksDescription)) {
    report(header.target, `The header ${header.at.pointer.split('/').at(-1)} has no description. Say what it means to the caller.`);
  }
  for (const schema of schemas) {
    const { section, name } = schema.component;
    if (section === 'schemas' && lacksDescription(schema.target)) {
      report(schema.target, `The schema ${name} has no description. Say in a sentence what it is.`);
    }
    for (const [key, property] of schema.get('properties').entries.filter(([, place]) => lacksDescription(place))) {
      report(property, `The property \`${key}\` has no description. Add one to it, or to the schema it refers to.`);
    }
  }
});

const lacksDescription = (place) => !String(place.get('description').value ?? '').trim();
