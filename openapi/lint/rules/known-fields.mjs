const availability = ['x-edition', 'x-add-ons'];

/** The extension fields that each object may have; other objects have none. openapi/EXTENSIONS.md describes them. */
const fieldsOf = {
  Root: ['x-access-levels', 'x-add-on-catalog'],
  Operation: [
    'x-access',
    'x-access-when',
    'x-owner',
    'x-scope',
    'x-scope-when',
    'x-csrf-when',
    'x-confirm-password',
    'x-dry-run',
    'x-tool',
    ...availability,
    'x-switch-group',
    'x-error-codes',
  ],
  Webhook: [...availability, 'x-feed-kind'],
  Response: ['x-error-codes'],
  Header: ['x-set-by'],
  Parameter: ['x-secret', 'x-admin-only', 'x-add-ons'],
  Schema: [
    ...availability,
    'x-switch-group',
    'x-secret',
    'x-absent',
    'x-extends',
    'x-key',
    'x-transitions',
    'x-value-availability',
    'x-import-kind',
    'x-import-only',
  ],
};
const onlyValues = { 'x-set-by': ['server'], 'x-secret': [true], 'x-admin-only': [true], 'x-confirm-password': [true, 'code'] };

export default () => ({
  any: (node, ctx) => ctx.type.name === 'Operation' || check(ctx.type.name, node, ctx),
  // Extension fields may also be next to a `$ref`.
  ref: (node, ctx) => check(ctx.type.name, node, ctx),
  Paths: { Operation: (node, ctx) => check('Operation', node, ctx) },
  WebhooksMap: { Operation: (node, ctx) => check('Webhook', node, ctx) },
});

function check(thing, node, ctx) {
  const allowed = fieldsOf[thing] ?? [];
  for (const field of Object.keys(node ?? {}).filter((key) => key.startsWith('x-'))) {
    const location = ctx.location.child([field]).key();
    const message = allowed.includes(field) ? wrongValue(field, node[field]) : unknown(field, thing, allowed);
    if (message) ctx.report({ message, location });
  }
}

const wrongValue = (field, value) =>
  (onlyValues[field] ?? [value]).includes(value)
    ? undefined
    : `\`${field}\` is \`${value}\`. Its only value is ${onlyValues[field].map((known) => `\`${known}\``).join(' or ')}.`;

const unknown = (field, thing, allowed) =>
  `\`${field}\` means nothing on a ${thing}. ` +
  (allowed.length ? `Use ${allowed.join(', ')}, or describe it in openapi/EXTENSIONS.md and allow it here.` : 'Remove it.');
