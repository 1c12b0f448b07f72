import { contractRule, hasExactly } from '../contract.mjs';

const switchGroups = ['payouts'];
const proTags = ['payouts', 'webhooks'];

export default contractRule(({ root, everything, schemas }, report) => {
  const addOns = root.get('x-add-on-catalog').keys;
  for (const place of [...everything.map((operation) => operation.place), ...schemas]) checkWords(place, addOns, report);
  for (const operation of everything) checkMembership(operation, report);
  for (const schema of schemas) checkValues(schema, addOns, report);
  for (const [name, level] of root.get('x-access-levels').entries) {
    const isSound = isLevel(level.value ?? {}, addOns);
    if (!isSound) report(level, `The access level \`${name}\` has another shape. Write \`{ description, edition?, add_ons? }\`.`);
  }
  for (const [name, addOn] of root.get('x-add-on-catalog').entries) {
    const remedy = 'Write `{ description, inactive, edition? }`, inactive being absent or unavailable.';
    if (!isAddOn(addOn.value)) report(addOn, `The add-on \`${name}\` has another shape. ${remedy}`);
  }
});

function checkWords(place, addOns, report) {
  const check = (field, isLegal, remedy) => {
    const { exists, value } = place.get(field);
    if (exists && !isLegal(value)) report(place.get(field), `\`${field}\` is ${JSON.stringify(value)}, which is unknown. ${remedy}`);
  };
  check('x-edition', (edition) => edition === 'pro', 'Set it to `pro`, or remove it for what is in every edition.');
  check('x-add-ons', (list) => isListOf(list, addOns), `Make it a list of ${addOns.join(', ')}.`);
  check('x-switch-group', (group) => switchGroups.includes(group), `Set it to ${switchGroups.join(', ')}.`);
}

/** The values of an enum that do not exist everywhere. */
function checkValues(schema, addOns, report) {
  for (const [value, needs] of schema.get('x-value-availability').entries) {
    const isSound = schema.get('enum').list.includes(value) && isLevel({ description: value, ...needs.value }, addOns);
    if (!isSound)
      report(needs, `\`${value}\` is not a value of the enum, or its availability has another shape. Write \`{ edition?, add_ons? }\`.`);
  }
}

/** An operation or event of payouts or webhooks must declare it, or it would be served in the free edition. */
function checkMembership({ name, place, event }, report) {
  const tags = proTags.filter((tag) => place.get('tags').list.includes(tag));
  const needed = new Set([...tags, ...(event ? addOnsOfEvent(event) : [])]);
  for (const addOn of needed) {
    if (!place.get('x-add-ons').list.includes(addOn)) report(place, `\`${name}\` needs the add-on ${addOn}. Add it to its \`x-add-ons\`.`);
  }
  if (needed.size > 0 && !place.has('x-edition')) report(place, `\`${name}\` is not in the free edition. Add \`x-edition: pro\` to it.`);
  if (tags.includes('payouts') && !place.has('x-switch-group')) {
    report(place, `\`${name}\` would stay when payouts are switched off. Add \`x-switch-group: payouts\` to it.`);
  }
}

const addOnsOfEvent = (event) => [
  'webhooks',
  ...(event.includes('payout') ? ['payouts'] : []),
  ...(event.includes('mla_') ? ['multi_level'] : []),
];

const isListOf = (list, words) =>
  Array.isArray(list) && list.length > 0 && new Set(list).size === list.length && list.every((word) => words.includes(word));

const isLevel = ({ description, edition = 'pro', add_ons: needs, ...rest }, addOns) =>
  Boolean(description) && edition === 'pro' && (needs === undefined || isListOf(needs, addOns)) && hasExactly(rest, []);

const isAddOn = ({ description, inactive, edition = 'pro', ...rest }) =>
  Boolean(description) && ['absent', 'unavailable'].includes(inactive) && edition === 'pro' && hasExactly(rest, []);
