import { type EventKind, eventKindNeeds, eventKinds, type WebhookEvent, webhookEvents } from '../generated/events.ts';
import {
  type AccessLevel,
  type AddOn,
  accessLevels,
  addOns,
  type OperationId,
  operations,
  type SwitchGroup,
} from '../generated/operations.ts';
import { getSettingValue, type Settings } from './settings/settings.ts';

/**
 * served: routed and in the document. unavailable: answers 501 after authentication, and is not in the document.
 * absent: as if the contract had never known it.
 */
export type Availability = 'served' | 'unavailable' | 'absent';

interface Needs {
  readonly edition: string | null;
  readonly addOns: readonly AddOn[];
}

/** The one predicate: routing and the document both ask it, so they cannot disagree. */
export function getAvailability(operationId: OperationId, settings: Settings): Availability {
  const { edition, addOns: needed, switchGroup }: Needs & { switchGroup: SwitchGroup | null } = operations[operationId];
  if (!isSwitchedOn(operationId, switchGroup, settings) || !isInEdition(edition, settings)) return 'absent';
  const [own, ...further] = needed;
  if (!further.every((addOn) => isAddOnActive(addOn, settings))) return 'absent';
  return own === undefined || isAddOnActive(own, settings) ? 'served' : addOns[own].inactive;
}

/** Before the path of an operation: the same one, tried without saving. */
export const dryRunRoot = '/dry-run';

/** Whether the operation can be tried without saving where it is served. */
export const hasDryRun = (operationId: OperationId, settings: Settings): boolean =>
  operations[operationId].dryRun && isAddOnActive('agents', settings);

const isSwitchedOn = (operationId: OperationId, group: SwitchGroup | null, { switches }: Pick<Settings, 'switches'>): boolean =>
  switches[operationId] && isGroupOn(group, { switches });

const isGroupOn = (group: SwitchGroup | null, { switches }: Pick<Settings, 'switches'>): boolean => group === null || switches[group];

const isInEdition = (edition: string | null, settings: Settings): boolean => edition === null || edition === settings.edition;

/** An add-on of the pro edition is inactive in the free edition, whatever its own setting says. */
export function isAddOnActive(addOn: AddOn, settings: Settings): boolean {
  const { edition }: { inactive: string; edition?: string } = addOns[addOn];
  return isInEdition(edition ?? null, settings) && settings.addons[addOn];
}

const existsHere = ({ edition, addOns }: Needs, settings: Settings): boolean =>
  isInEdition(edition, settings) && addOns.every((addOn) => isAddOnActive(addOn, settings));

/** Whether the event is in the catalog. Switches do not matter: they close routes, and payouts go on behind a closed route. */
export const isEventOffered = (event: WebhookEvent, settings: Settings): boolean => existsHere(webhookEvents[event], settings);

/** As the contract writes it for access levels and for values of an enum. */
export interface WrittenNeeds {
  readonly edition?: string;
  readonly add_ons?: readonly AddOn[];
}

export const needsAreMet = ({ edition, add_ons }: WrittenNeeds, settings: Settings): boolean =>
  existsHere({ edition: edition ?? null, addOns: add_ons ?? [] }, settings);

const kindNeeds: Partial<Record<EventKind, WrittenNeeds>> = eventKindNeeds;

/** The kinds that the document lists and the feed returns. */
export const listEventKinds = (settings: Settings): EventKind[] =>
  eventKinds.filter((kind) => needsAreMet(kindNeeds[kind] ?? {}, settings));

export function accessLevelExists(level: AccessLevel, settings: Settings): boolean {
  const needs: WrittenNeeds & { description: string } = accessLevels[level];
  return needsAreMet(needs, settings);
}

/** Who may call here and now, by `x-access` and `x-access-when`, without the levels that do not exist here. */
export function getAccess(operationId: OperationId, settings: Settings): AccessLevel[] {
  const operation: {
    readonly access: readonly AccessLevel[];
    readonly accessWhen: readonly { setting: string; equals: unknown; access: readonly AccessLevel[] }[];
  } = operations[operationId];
  const exception = operation.accessWhen.find(({ setting, equals }) => getSettingValue(settings, setting) === equals);
  return (exception ?? operation).access.filter((level) => accessLevelExists(level, settings));
}

/** A property of a record, as the contract marks it. */
export interface MarkedProperty {
  readonly 'x-edition'?: string;
  readonly 'x-add-ons'?: readonly AddOn[];
  readonly 'x-switch-group'?: SwitchGroup;
}

export const propertyExists = (property: MarkedProperty, settings: Settings): boolean =>
  existsHere({ edition: property['x-edition'] ?? null, addOns: property['x-add-ons'] ?? [] }, settings) &&
  isGroupOn(property['x-switch-group'] ?? null, settings);

/** Whether everyone may read the OpenAPI document. */
export const isDocumentPublic = (settings: Settings): boolean =>
  getAvailability('get_openapi', settings) === 'served' && getAccess('get_openapi', settings).includes('public');

/** Whether people can apply at /apply: the mail that confirms their address needs a link. */
export const isOpenToApplicants = ({ registration, service }: Settings): boolean => registration.open && service.url !== '';
