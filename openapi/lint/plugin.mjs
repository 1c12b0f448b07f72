import accessDeclared from './rules/access-declared.mjs';
import alwaysPresent from './rules/always-present.mjs';
import availabilityWords from './rules/availability-words.mjs';
import bareCollections from './rules/bare-collections.mjs';
import boundedInput from './rules/bounded-input.mjs';
import closedAnswers from './rules/closed-answers.mjs';
import collectionPaging from './rules/collection-paging.mjs';
import conditionsNamed from './rules/conditions-named.mjs';
import deliveryHeaders from './rules/delivery-headers.mjs';
import descriptionsEverywhere from './rules/descriptions-everywhere.mjs';
import errorCodesDeclared from './rules/error-codes-declared.mjs';
import examplesEverywhere from './rules/examples-everywhere.mjs';
import knownFields from './rules/known-fields.mjs';
import knownMethods from './rules/known-methods.mjs';
import noDateTimeFormat from './rules/no-date-time-format.mjs';
import operationIdShape from './rules/operation-id-shape.mjs';
import ownerNamed from './rules/owner-named.mjs';
import recordExtends from './rules/record-extends.mjs';
import requestBodyShape from './rules/request-body-shape.mjs';
import secretsMarked from './rules/secrets-marked.mjs';
import securityAlternatives from './rules/security-alternatives.mjs';
import serverHeaders from './rules/server-headers.mjs';
import sharedErrorResponses from './rules/shared-error-responses.mjs';
import snakeCase from './rules/snake-case.mjs';
import transitionsKnown from './rules/transitions-known.mjs';
import validDefaults from './rules/valid-defaults.mjs';
import versionInNamespace from './rules/version-in-namespace.mjs';
import webhookShape from './rules/webhook-shape.mjs';

export default () => ({
  id: 'house',
  rules: {
    oas3: {
      'access-declared': accessDeclared,
      'always-present': alwaysPresent,
      'availability-words': availabilityWords,
      'bare-collections': bareCollections,
      'bounded-input': boundedInput,
      'closed-answers': closedAnswers,
      'collection-paging': collectionPaging,
      'conditions-named': conditionsNamed,
      'delivery-headers': deliveryHeaders,
      'descriptions-everywhere': descriptionsEverywhere,
      'error-codes-declared': errorCodesDeclared,
      'examples-everywhere': examplesEverywhere,
      'known-fields': knownFields,
      'known-methods': knownMethods,
      'no-date-time-format': noDateTimeFormat,
      'operation-id-shape': operationIdShape,
      'owner-named': ownerNamed,
      'record-extends': recordExtends,
      'request-body-shape': requestBodyShape,
      'secrets-marked': secretsMarked,
      'security-alternatives': securityAlternatives,
      'server-headers': serverHeaders,
      'shared-error-responses': sharedErrorResponses,
      'snake-case': snakeCase,
      'transitions-known': transitionsKnown,
      'valid-defaults': validDefaults,
      'version-in-namespace': versionInNamespace,
      'webhook-shape': webhookShape,
    },
  },
});
