import accessDeclared from './rules/access-declared.mjs';
import alwaysPresent from './rules/always-present.mjs';
import availabilityWords from './rules/availability-words.mjs';
import boundedIntegers from './rules/bounded-integers.mjs';
import closedAnswers from './rules/closed-answers.mjs';
import collectionPaging from './rules/collection-paging.mjs';
import conditionsNamed from './rules/conditions-named.mjs';
import errorCodesDeclared from './rules/error-codes-declared.mjs';
import examplesEverywhere from './rules/examples-everywhere.mjs';
import knownFields from './rules/known-fields.mjs';
import noDateTimeFormat from './rules/no-date-time-format.mjs';
import operationIdShape from './rules/operation-id-shape.mjs';
import ownerNamed from './rules/owner-named.mjs';
import recordExtends from './rules/record-extends.mjs';
import secretsMarked from './rules/secrets-marked.mjs';
import securityAlternatives from './rules/security-alternatives.mjs';
import sharedErrorResponses from './rules/shared-error-responses.mjs';
import snakeCase from './rules/snake-case.mjs';
import transitionsKnown from './rules/transitions-known.mjs';
import versionInNamespace from './rules/version-in-namespace.mjs';
import webhookShape from './rules/webhook-shape.mjs';

export default () => ({
  id: 'house',
  rules: {
    oas3: {
      'access-declared': accessDeclared,
      'always-present': alwaysPresent,
      'availability-words': availabilityWords,
      'bounded-integers': boundedIntegers,
      'closed-answers': closedAnswers,
      'collection-paging': collectionPaging,
      'conditions-named': conditionsNamed,
      'error-codes-declared': errorCodesDeclared,
      'examples-everywhere': examplesEverywhere,
      'known-fields': knownFields,
      'no-date-time-format': noDateTimeFormat,
      'operation-id-shape': operationIdShape,
      'owner-named': ownerNamed,
      'record-extends': recordExtends,
      'secrets-marked': secretsMarked,
      'security-alternatives': securityAlternatives,
      'shared-error-responses': sharedErrorResponses,
      'snake-case': snakeCase,
      'transitions-known': transitionsKnown,
      'version-in-namespace': versionInNamespace,
      'webhook-shape': webhookShape,
    },
  },
});
