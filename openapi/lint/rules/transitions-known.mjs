import { contractRule, hasExactly } from '../contract.mjs';

const actors = ['request', 'admin', 'gateway', 'applicant'];
const pools = ['unpaid', 'pending_order', 'pending_payout', 'paid'];
const conditions = ['free_slot', 'unpaid_holds_amount'];
const rowFields = ['from', 'to', 'by', 'moves', 'event', 'requires'];

export default contractRule(({ schemas, webhooks }, report) => {
  const events = webhooks.map(({ event }) => event);
  for (const schema of schemas.filter((place) => place.has('x-transitions'))) {
    checkTable(schema.get('enum').list, schema.get('x-transitions'), events, report);
  }
});

function checkTable(statuses, table, events, report) {
  const internal = table.get('internal');
  const known = [...statuses, ...internal.keys];
  const seen = new Set();
  if (!table.has('field')) report(table, 'The state table does not say which property holds the status. Add `field: status`.');
  for (const [status, { value }] of internal.entries) {
    if (statuses.includes(status) || !statuses.includes(value?.reads)) {
      const remedy = `Write \`{ reads: … }\` with one of ${statuses.join(', ')}.`;
      report(internal.get(status), `The internal status \`${status}\` does not read as a public one. ${remedy}`);
    }
  }
  for (const row of table.get('rows').children) {
    const title = `${row.value.from} → ${row.value.to} by ${row.value.by}`;
    const wrong = seen.has(title) ? 'stands there twice. Remove one of the two.' : wrongRow(row.value, known, events);
    if (wrong) report(row, `The transition ${title} ${wrong}`);
    seen.add(title);
  }
  const mentioned = new Set(table.get('rows').children.flatMap(({ value }) => [value.from, value.to]));
  for (const status of statuses.filter((name) => !mentioned.has(name))) {
    report(table, `The status \`${status}\` is in no transition. Add the row that leads to it, or remove it from \`enum\`.`);
  }
}

function wrongRow(row, statuses, events) {
  if (!hasExactly(row, rowFields)) return `has other fields than a row has. Write ${rowFields.join(', ')}, each once.`;
  const stray = [...(row.from === null ? [] : [row.from]), row.to].find((status) => !statuses.includes(status));
  if (stray !== undefined) return `names the status \`${stray}\`. Use ${statuses.join(', ')}; \`from: null\` for what does not exist yet.`;
  if (!actors.includes(row.by)) return `is made by \`${row.by}\`. Use ${actors.join(', ')}.`;
  if (!isMovement(row.moves)) return `moves money between unknown pools. Write \`{ from, to }\` with two of ${pools.join(', ')}, or null.`;
  if (row.event !== null && !events.includes(row.event)) return `raises \`${row.event}\`, which is no webhook of ours. Name one, or null.`;
  const isKnown = Array.isArray(row.requires) && row.requires.every((condition) => conditions.includes(condition));
  return isKnown ? undefined : `requires something unknown. Make \`requires\` a list of ${conditions.join(', ')}; empty for none.`;
}

const isMovement = (moves) =>
  moves === null ||
  (hasExactly(moves, ['from', 'to']) && moves.from !== moves.to && [moves.from, moves.to].every((pool) => pools.includes(pool)));
