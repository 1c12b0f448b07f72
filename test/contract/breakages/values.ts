import { type BreakagesByRule, edit, put, remove, withMore } from './change.ts';
import { parameters, payoutStatus, schemas } from './places.ts';

/** What values may be. */
export const valuesBreakages: BreakagesByRule = {
  'no-date-time-format': [
    {
      title: '`format: date-time` is refused, naming our own schemas',
      break: put(`${schemas} > LocalDateTime > format`, 'date-time'),
      says: /^`format: date-time` is not used in this contract\. Refer to the schema LocalDateTime .* or UtcDateTime/,
    },
    {
      title: '`format: date` is refused, also next to a $ref',
      break: put(`${schemas} > KeyRequest > properties > expires > format`, 'date'),
      says: /^`format: date` .* Refer to the schema Day instead\.$/,
    },
  ],
  'bounded-input': [
    {
      title: 'a list of any length in a request body is refused',
      break: remove(`${schemas} > KeyRequest > properties > scopes > maxItems`),
      says: /^The list of the request field `scopes` can be of any length\. Add `maxItems`\.$/,
    },
    {
      title: 'a list of any length in the query is refused',
      break: remove(`${parameters} > EventKinds > schema > maxItems`),
      says: /^The list of the parameter `event` can be of any length\. Add `maxItems`\.$/,
    },
    {
      title: 'a pattern that only looks for a part of the text is refused',
      break: put(`${schemas} > Day > pattern`, '[0-9]{4}-[0-9]{2}-[0-9]{2}'),
      says: /^The pattern \[0-9\].* of the schema Day also accepts texts that only contain what it describes\. Begin it with `\^`/,
    },
    {
      title: 'a pattern whose alternatives are each anchored on one side is refused',
      break: put(`${schemas} > Day > pattern`, '^today|[0-9-]{10}$'),
      says: /also accepts texts that only contain .* with alternatives in parentheses\.$/,
    },
    {
      title: 'a pattern that bounds no length is refused as the only bound',
      break: put(`${schemas} > Day > pattern`, '^[0-9-]+$'),
      says: /^The text of the schema Day can be of any length\. Add `maxLength`, `enum`, or a `pattern` without/,
      at: `${schemas} > Day`,
    },
    {
      title: 'a map of any size in a request body is refused',
      break: put(`${schemas} > KeyRequest > properties > labels`, {
        type: 'object',
        additionalProperties: { type: 'boolean' },
        description: 'Labels.',
        examples: [{ a: true }],
      }),
      says: /^A request may hold any number of fields here\. Add `maxProperties` beside it\.$/,
      at: `${schemas} > KeyRequest > properties > labels > additionalProperties`,
    },
    {
      title: 'an id without upper bound is refused, naming the schema once',
      break: remove(`${schemas} > Id > maximum`),
      says: /^The numbers of the schema Id have no bounds.*Add `minimum` and `maximum`/,
    },
    {
      title: 'an integer parameter without lower bound is refused',
      break: remove(`${parameters} > After > schema > minimum`),
      says: /^The numbers of the parameter `after` have no bounds/,
    },
    {
      title: 'a text parameter of any length is refused',
      break: remove(`${parameters} > Search > schema > maxLength`),
      says: /^The text of the parameter `search` can be of any length\. Add `maxLength`/,
    },
    {
      title: 'a text field of any length in a request body is refused',
      break: remove(`${schemas} > RegistrationDecision > properties > message > maxLength`),
      says: /^The text of the request field `message` can be of any length\. Add `maxLength`/,
    },
    {
      title: 'texts of any length in a list of a request body are refused',
      break: remove(`${schemas} > EventNames > items > maxLength`),
      says: /can be of any length\. Add `maxLength`/,
    },
    {
      title: 'an amount without bounds in a request body is refused',
      break: put(`${schemas} > PayoutRequest > properties > amount`, { type: 'number', minimum: 0, examples: [1] }),
      says: /^The numbers of the request field `amount` have no bounds/,
    },
  ],
  'valid-values': [
    {
      title: 'a default outside the bounds is refused',
      break: put(`${parameters} > PerPage > schema > default`, 500),
      says: /^The default 500 is refused by its own schema: it must be <= 100\. Correct the default or the schema/,
    },
    {
      title: 'a default that is none of the values is refused',
      break: put(`${parameters} > OrderAscending > schema > default`, 'up'),
      says: /^The default "up" is refused by its own schema: it must be equal to one of the allowed values/,
    },
    {
      title: 'an example beside a $ref that the referred schema refuses is refused',
      break: put(`${schemas} > KeyRequest > properties > expires > examples`, ['next year']),
      says: /^The example "next year" is refused by the schema that it stands beside: it must match pattern .*\. Correct it\.$/,
      at: `${schemas} > KeyRequest > properties > expires > examples > 0`,
    },
    {
      title: 'a request field that is required and has a default is refused',
      break: put(`${schemas} > KeyRequest > required`, ['scopes']),
      says: /^The request field `scopes` is required and has a default, so a client must send what .*\. Remove one of the two\.$/,
      at: `${schemas} > KeyRequest > properties > scopes > default`,
    },
    {
      title: 'a default of another type is refused',
      break: put(`${schemas} > RegistrationDecision > properties > send_email > default`, 'yes'),
      says: /^The default "yes" .* it must be boolean/,
    },
    {
      title: 'a default beside a $ref that the referred schema refuses is refused',
      break: put(`${schemas} > KeyRequest > properties > user_id > default`, 0),
      says: /^The default 0 is refused by its own schema: it must be >= 1/,
    },
    {
      title: 'a default list with an entry that its items refuse is refused',
      break: put(`${schemas} > KeyRequest > properties > scopes > default`, ['read', 'root']),
      says: /^The default \["read","root"\] is refused by its own schema: it\/1 must be equal to one of/,
    },
  ],
  'known-formats': [
    {
      title: 'a misspelt format is refused, listing those of this service',
      break: put(`${schemas} > Day > format`, 'calender-day'),
      says: /^The format `calender-day` is unknown, so the service would not start\. Use one of calendar-day, amount, /,
    },
    {
      title: 'a format of a request that nothing checks is refused',
      break: put(`${schemas} > KeyRequest > properties > description > format`, 'password'),
      says: /^Nothing checks the format `password` of a request\. Remove it, or use a `pattern` instead\.$/,
    },
  ],
  'no-circular-schemas': [
    {
      title: 'a schema that contains itself is refused, naming it',
      break: put(`${schemas} > KeyRequest > properties > other`, { $ref: '#/components/schemas/KeyRequest', examples: [{}] }),
      says: /^The schema KeyRequest contains itself, which the service refuses to load\. Describe a fixed number of levels/,
    },
  ],
  'transitions-known': [
    {
      title: 'a transition to an unknown status is refused',
      break: put(`${payoutStatus} > rows > 0 > to`, 'settled'),
      says: /^The transition null → settled by request names the status `settled`\. Use pending, created, paid, cancel, processing, failed/,
      at: `${payoutStatus} > rows > 0`,
    },
    {
      title: 'a transition by an unknown actor is refused',
      break: put(`${payoutStatus} > rows > 0 > by`, 'robot'),
      says: /is made by `robot`\. Use request, admin, gateway, applicant\.$/,
      at: `${payoutStatus} > rows > 0`,
    },
    {
      title: 'money that moves into an unknown pool is refused',
      break: put(`${payoutStatus} > rows > 0 > moves > to`, 'bank'),
      says: /moves money between unknown pools\. Write `\{ from, to \}` with two of unpaid, pending_order, pending_payout, paid, or null/,
      at: `${payoutStatus} > rows > 0`,
    },
    {
      title: 'a transition that raises an unknown event is refused',
      break: put(`${payoutStatus} > rows > 0 > event`, 'payout.asked'),
      says: /raises `payout\.asked`, which is no webhook of ours\. Name one, or null\.$/,
      at: `${payoutStatus} > rows > 0`,
    },
    {
      title: 'an unknown condition is refused',
      break: put(`${payoutStatus} > rows > 0 > requires`, ['full_moon']),
      says: /requires something unknown\. Make `requires` a list of free_slot, unpaid_holds_amount/,
      at: `${payoutStatus} > rows > 0`,
    },
    {
      title: 'a row that lacks a field is refused',
      break: remove(`${payoutStatus} > rows > 0 > moves`),
      says: /has other fields than a row has\. Write from, to, by, moves, event, requires/,
    },
    {
      title: 'a transition that is declared twice is refused',
      break: edit(`${payoutStatus} > rows`, ([first, ...others]) => [first ?? null, first ?? null, ...others]),
      says: /^The transition null → pending by request stands there twice\. Remove one/,
      at: `${payoutStatus} > rows > 1`,
    },
    {
      title: 'a status without a transition is refused',
      break: withMore(`${schemas} > RegistrationStatus > enum`, 'archived'),
      says: /^The status `archived` is in no transition\. Add the row/,
      at: `${schemas} > RegistrationStatus > x-transitions`,
    },
    {
      title: 'an internal status that reads as no public one is refused',
      break: put(`${payoutStatus} > internal > failed > reads`, 'failed'),
      says: /^The internal status `failed` does not read as a public one\. Write .* with one of pending, created, paid, cancel\.$/,
      at: `${payoutStatus} > internal > failed`,
    },
    {
      title: 'a state table without its field is refused',
      break: remove(`${payoutStatus} > field`),
      says: /^The state table does not say which property holds the status\. Add `field/,
    },
  ],
};
